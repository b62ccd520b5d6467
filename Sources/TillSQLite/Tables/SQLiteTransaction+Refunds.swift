import FoundationEssentials
import TillEngine
import TillModel

extension SQLiteTransaction: RefundReader {
    func refund(_ id: UUID) throws -> RefundRecord? {
        try refunds("WHERE id = ?1", [SQLValue(id)]).first
    }

    func refunds(ofTransaction key: Int64) throws -> [RefundRecord] {
        try refunds("WHERE transaction_key = ?1 ORDER BY key", [SQLValue(key)])
    }

    func dueRefunds(at date: Date, limit: Int) throws -> [RefundRecord] {
        try refunds(
            "WHERE state = 0 AND due_at <= ?1 ORDER BY due_at, key LIMIT ?2",
            [SQLValue(date), SQLValue(limit: limit)],
            skipsUnreadable: true
        )
    }

    func refunds(dueAfter date: Date, limit: Int) throws -> [RefundRecord] {
        try refunds(
            "WHERE state = 0 AND due_at > ?1 ORDER BY due_at DESC, key DESC LIMIT ?2",
            [SQLValue(date), SQLValue(limit: limit)],
            skipsUnreadable: true
        )
    }

    private func refunds(_ condition: String, _ values: [SQLValue], skipsUnreadable: Bool = false) throws
        -> [RefundRecord]
    {
        let sql = "\(RefundRecord.selection) \(condition)"
        return try rows(of: "refunds", sql, values, skipsUnreadable: skipsUnreadable, read: RefundRecord.init)
    }
}

extension SQLiteTransaction: RefundWriter {
    func insert(_ refund: RefundRecord) throws {
        try insertRow(
            """
            INSERT INTO refunds (id, transaction_key, queue, quantity, amount, currency, reason, state, attempts,
                created_at, due_at, reference, keeps_money)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)
            """,
            refund.values
        )
    }

    func update(_ refund: RefundRecord) throws {
        try change(
            "UPDATE refunds SET state = ?1, attempts = ?2, due_at = ?3, reference = ?4 WHERE id = ?5",
            [
                SQLValue(refund.state.rawValue), SQLValue(refund.attempts), SQLValue(refund.dueAt),
                SQLValue(refund.reference), SQLValue(refund.id),
            ],
            orThrow: "The ledger has no refund \(refund.id.text)."
        )
    }
}

extension RefundRecord {
    static let selection = """
        SELECT id, transaction_key, queue, quantity, amount, currency, reason, state, attempts, created_at, due_at,
            reference, keeps_money
        FROM refunds
        """

    init(_ columns: inout Columns) throws {
        self.init(
            id: try columns.uuid(),
            transactionKey: try columns.integer(),
            queue: try columns.integer(),
            quantity: try columns.int(),
            amount: try columns.integer(),
            currency: try columns.text(),
            reason: try columns.value(Revocation.Reason.self),
            state: try columns.value(State.self),
            attempts: try columns.int(),
            createdAt: try columns.date(),
            dueAt: try columns.date(),
            reference: try columns.textIfPresent()
        )
        keepsMoney = try columns.flag()
    }

    var values: [SQLValue] {
        [
            SQLValue(id), SQLValue(transactionKey), SQLValue(queue), SQLValue(quantity), SQLValue(amount),
            SQLValue(currency), SQLValue(reason.rawValue), SQLValue(state.rawValue), SQLValue(attempts),
            SQLValue(createdAt), SQLValue(dueAt), SQLValue(reference),
            SQLValue(keepsMoney),
        ]
    }
}
