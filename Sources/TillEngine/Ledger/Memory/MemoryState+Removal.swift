extension MemoryState {
    /// The state without these transactions and what followed from them.
    func removing(_ keys: Set<Int64>) -> MemoryState {
        let removed = closure(of: keys)
        var rest = MemoryState()
        rest.highestKey = highestKey
        rest.highestDownloadKey = highestDownloadKey
        rest.queueKeys = queueKeys
        rest.queues = queues.mapValues(\.emptied)
        rest.restores = restores
        rest.joinedRestores = joinedRestores
        rest.restoreIDs = restoreIDs
        rest.audit = audit
        rest.settings = settings
        rest.histories = histories.filter { !removed.contains($0.key) }
        for record in transactions.values where !removed.contains(record.key) {
            rest.index(record)
        }
        for record in subscriptions.values where !removed.contains(record.original.key) {
            rest.index(record.latest(of: rest.terms[record.key]))
        }
        for record in charges.values where !record.belongs(to: removed, keeping: rest.subscriptions) {
            rest.index(record)
        }
        for (key, record) in refunds where !removed.contains(record.transactionKey) {
            rest.index(record, key: key)
        }
        for record in downloads.values where !removed.contains(record.transactionKey) {
            rest.index(record)
        }
        return rest
    }

    /// The transactions, their copies, and all transactions of subscriptions that began with one of them.
    private func closure(of keys: Set<Int64>) -> Set<Int64> {
        let begun = subscriptions.values.filter { keys.contains($0.original.key) }.map(\.key)
        let derived = transactions.values.filter { record in
            record.original.map { keys.contains($0.key) } ?? false
                || record.repeats.map(keys.contains) ?? false
                || record.term.map { begun.contains($0.subscription) } ?? false
        }
        return keys.union(derived.map(\.key))
    }
}

extension MemoryQueue {
    /// The queue without its transactions, and with only those events that are still to be delivered.
    fileprivate var emptied: MemoryQueue {
        var queue = MemoryQueue(record)
        queue.record.floor = record.revision
        queue.events = events.filter(\.isPending)
        return queue
    }
}

extension SubscriptionRecord {
    /// The record with its latest transaction among those that are left.
    fileprivate func latest(of terms: SortedArray<Int64>?) -> SubscriptionRecord {
        var record = self
        if let terms, !terms.contains(latestKey) {
            record.latestKey = terms.elements.last ?? original.key
        }
        return record
    }
}

extension ChargeRecord {
    fileprivate func belongs(to removed: Set<Int64>, keeping subscriptions: [Int64: SubscriptionRecord]) -> Bool {
        transactionKey.map(removed.contains) ?? false || subscriptionKey.map { subscriptions[$0] == nil } ?? false
    }
}
