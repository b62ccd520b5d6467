import TillEngine
import TillModel

/// The condition, the order and the limit of the transactions that pass a filter, with the values to bind.
struct FilterQuery {
    private(set) var sql = ""
    private(set) var values: [SQLValue] = []

    /// The queries that together find every transaction that passes the filter exactly once, each by an index of its own.
    static func all(_ filter: TransactionFilter, afterKey key: Int64, limit: Int) -> [FilterQuery] {
        conditions(filter.attention).map { FilterQuery(filter, $0, afterKey: key, limit: limit) }
    }

    private init(_ filter: TransactionFilter, _ attention: String?, afterKey key: Int64, limit: Int) {
        var conditions = ["t.key > \(bind(SQLValue(key)))"]
        let names = [
            filter.application.map { "application = \(bind(SQLValue($0)))" },
            filter.account.map { "account = \(bind(SQLValue($0)))" },
        ].compactMap(\.self)
        if !names.isEmpty {
            let queues = "(SELECT key FROM queues WHERE \(names.joined(separator: " AND ")))"
            // An index has the transactions of one queue in the order of their keys; none has those of several queues.
            conditions.append(names.count == 1 ? "+t.queue IN \(queues)" : "t.queue = \(queues)")
        }
        if let productID = filter.productID {
            conditions.append("t.product_id = \(bind(SQLValue(productID)))")
        }
        if let state = filter.state {
            conditions.append("t.state = \(bind(SQLValue(state.rawValue)))")
        }
        if let attention {
            conditions.append(attention)
        }
        sql = "WHERE \(conditions.joined(separator: " AND ")) ORDER BY t.key LIMIT \(bind(SQLValue(limit: limit)))"
    }

    /// Adds the value, and returns the parameter that it will be bound to.
    private mutating func bind(_ value: SQLValue) -> String {
        values.append(value)
        return "?\(values.count)"
    }

    /// For purchases, the charges' transactions; for renewals, their subscriptions' last periods.
    private static let inReview = """
        SELECT coalesce(c.transaction_key, s.latest_key)
        FROM charges c LEFT JOIN subscriptions s ON s.key = c.subscription_key WHERE c.state = 5
        """

    private static func conditions(_ attention: TransactionFilter.Attention?) -> [String?] {
        switch attention {
        case nil: [nil]
        case .pending: ["t.state IN (0, 4)"]
        case .unfinished: ["t.state IN (1, 2, 3) AND t.finished_at IS NULL"]
        case .needsReview: ["t.key IN (\(inReview))"]
        case .interrupted:
            [
                "t.is_interrupted = 1",
                "t.state IN (0, 4) AND t.blocker <> 1 AND t.blocker = 5 AND t.is_interrupted = 0",
            ]
        case .revoked: ["t.revocation_date IS NOT NULL"]
        }
    }
}
