import FoundationEssentials
import TillEngine
import TillModel

extension SQLiteTransaction {
    func charge(forTransaction key: Int64) throws -> ChargeRecord? {
        try charges("WHERE transaction_key = ?1", [SQLValue(key)]).first
    }

    func dueCharges(at date: Date, limit: Int) throws -> [ChargeRecord] {
        try charges(
            "WHERE state = 1 AND due_at <= ?1 ORDER BY due_at, transaction_key LIMIT ?2",
            [SQLValue(date), SQLValue(limit: limit)]
        )
    }

    func nextChargeDue() throws -> Date? {
        try rows(of: "charges", "SELECT due_at FROM charges WHERE state = 1 ORDER BY due_at LIMIT 1", []) { columns in
            try columns.date()
        }.first
    }

    func openCharges(for productID: String, in queue: Int64) throws -> [ChargeRecord] {
        try charges(
            "WHERE queue = ?1 AND product_id = ?2 AND state IN (0, 1) ORDER BY transaction_key",
            [SQLValue(queue), SQLValue(productID)]
        )
    }

    func charges(afterKey key: Int64, limit: Int) throws -> [ChargeRecord] {
        try charges(
            "WHERE transaction_key > ?1 ORDER BY transaction_key LIMIT ?2",
            [SQLValue(key), SQLValue(limit: limit)]
        )
    }

    func restore(_ id: UUID) throws -> RestoreRecord? {
        try restores("WHERE id = ?1", [SQLValue(id)]).first
    }

    func runningRestore(in queue: Int64, applicationUsername: String?) throws -> RestoreRecord? {
        try restores(
            "WHERE queue = ?1 AND state = 0 AND application_username IS ?2 ORDER BY created_at, key LIMIT 1",
            [SQLValue(queue), SQLValue(applicationUsername)]
        ).first
    }

    func runningRestores(limit: Int) throws -> [RestoreRecord] {
        try restores("WHERE state = 0 ORDER BY created_at, key LIMIT ?1", [SQLValue(limit: limit)])
    }

    func events(in queue: Int64, after revision: UInt64, limit: Int) throws -> [EventRecord] {
        try rows(
            of: "events",
            "\(EventRecord.selection) WHERE t.queue = ?1 AND t.revision > ?2 ORDER BY t.revision LIMIT ?3",
            [SQLValue(queue), SQLValue(revision), SQLValue(limit: limit)],
            read: EventRecord.init
        )
    }

    private func charges(_ condition: String, _ values: [SQLValue]) throws -> [ChargeRecord] {
        try rows(of: "charges", "\(ChargeRecord.selection) \(condition)", values, read: ChargeRecord.init)
    }

    private func restores(_ condition: String, _ values: [SQLValue]) throws -> [RestoreRecord] {
        try rows(of: "restores", "\(RestoreRecord.selection) \(condition)", values, read: RestoreRecord.init)
    }
}
