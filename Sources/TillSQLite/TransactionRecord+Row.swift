import TillEngine
import TillModel

extension TransactionRecord {
    /// Transactions with their originals, which give the columns that ``init(_:)`` reads.
    static let selection = """
        SELECT t.key, t.queue, t.id, \(Payment.columns), t.state, t.revision, t.created_at, t.finished_at,
            \(PaymentError.columns), t.is_entitlement, t.original_key, o.id, o.created_at
        FROM transactions t LEFT JOIN transactions o ON o.key = t.original_key
        """

    init(_ columns: inout Columns) throws {
        self.init(
            key: try columns.integer(),
            queue: try columns.integer(),
            id: try columns.uuid(),
            payment: try Payment(&columns),
            state: try columns.value(TransactionState.self),
            revision: try columns.revision(),
            createdAt: try columns.date(),
            finishedAt: try columns.dateIfPresent(),
            error: try PaymentError(ifPresentIn: &columns)
        )
        isEntitlement = try columns.flag()
        original = try OriginalRecord(ifPresentIn: &columns)
    }

    /// The values of the columns from `state` on, all of which may change.
    var changingValues: [SQLValue] {
        [SQLValue(state.rawValue), SQLValue(revision), SQLValue(createdAt), SQLValue(finishedAt)]
            + PaymentError.values(error)
            + [SQLValue(isEntitlement), SQLValue(original?.key)]
    }
}

extension OriginalRecord {
    fileprivate init?(ifPresentIn columns: inout Columns) throws {
        guard let key = try columns.integerIfPresent() else {
            return nil
        }
        self.init(key: key, id: try columns.uuid(), createdAt: try columns.date())
    }
}
