import TillEngine
import TillModel
import TillSQL

extension SQLTransaction {
    /// Removes these transactions and what followed from them, of a ledger that observers do not follow: its queues' change
    /// logs end here, except for events that are still to be delivered.
    func remove(_ keys: Set<Int64>) throws {
        let subscriptions = try queues(afterKey: 0, limit: .max).flatMap { queue in
            try self.subscriptions(in: queue.key, afterKey: 0, limit: .max)
        }
        let ended = Set(subscriptions.filter { keys.contains($0.original.key) }.map(\.key))
        let derived = try transactions(matching: TransactionFilter(), afterKey: 0, limit: .max).filter { record in
            record.follows(from: keys, orFromSubscriptions: ended)
        }
        let removed = keys.union(derived.map(\.key))
        try delete(from: "downloads", where: "transaction_key", isIn: removed)
        try delete(from: "refunds", where: "transaction_key", isIn: removed)
        try delete(from: "renewal_charges", where: "transaction_key", isIn: removed)
        try delete(from: "renewal_charges", where: "subscription_key", isIn: ended)
        try delete(from: "subscriptions", where: "key", isIn: ended)
        try delete(from: "marks", where: "key", isIn: removed)
        for var rest in subscriptions where removed.contains(rest.latestKey) && !ended.contains(rest.key) {
            let last = try terms(ofSubscription: rest.key, afterKey: 0, limit: .max).last
            rest.latestKey = last?.key ?? rest.original.key
            try update(rest)
        }
        try delete(from: "transactions", where: "key", isIn: removed)
        try run("DELETE FROM events WHERE is_pending = 0", [])
        try run("UPDATE queues SET floor = revision", [])
    }

    /// - Parameter keys: Their description is also a list in JSON.
    private func delete(from table: String, where column: String, isIn keys: Set<Int64>) throws {
        try run(
            "DELETE FROM \(table) WHERE \(column) IN (SELECT value FROM json_each(?1))",
            [SQLValue(keys.description)]
        )
    }
}

extension TransactionRecord {
    /// Whether it is a copy of one of the transactions, or a period of one of the subscriptions.
    fileprivate func follows(from keys: Set<Int64>, orFromSubscriptions subscriptions: Set<Int64>) -> Bool {
        original.map { keys.contains($0.key) } ?? false || repeats.map(keys.contains) ?? false
            || term.map { subscriptions.contains($0.subscription) } ?? false
    }
}
