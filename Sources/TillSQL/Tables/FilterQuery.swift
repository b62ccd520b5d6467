import TillEngine
import TillModel

/// The condition, the order and the limit of the transactions that pass a filter, with the values to bind.
struct FilterQuery {
    private(set) var sql = ""
    private(set) var values: [SQLValue] = []

    /// - Parameter isDescending: Whether the transactions before the key are meant, the newest first, and not those after it.
    init(_ filter: TransactionFilter, from key: Int64, isDescending: Bool = false, limit: Int) {
        var conditions = ["t.key \(isDescending ? "<" : ">") \(bind(SQLValue(key)))"]
        let names = [
            filter.application.map { "application = \(bind(SQLValue($0)))" },
            filter.account.map { "account = \(bind(SQLValue($0)))" },
        ].compactMap(\.self)
        if !names.isEmpty {
            conditions.append("t.queue IN (SELECT key FROM queues WHERE \(names.joined(separator: " AND ")))")
        }
        if let productID = filter.productID {
            conditions.append("t.product_id = \(bind(SQLValue(productID)))")
        }
        if let state = filter.state {
            conditions.append("t.state = \(bind(SQLValue(state.rawValue)))")
        }
        if let attention = filter.attention {
            conditions.append("t.key IN (\(Self.keys(attention)))")
        }
        let order = isDescending ? "t.key DESC" : "t.key"
        sql = "WHERE \(conditions.joined(separator: " AND ")) ORDER BY \(order) LIMIT \(bind(SQLValue(limit: limit)))"
    }

    /// Adds the value, and returns the parameter that it will be bound to.
    private mutating func bind(_ value: SQLValue) -> String {
        values.append(value)
        return "?\(values.count)"
    }

    /// The keys of the transactions that need attention of this kind, without duplicates.
    private static func keys(_ attention: TransactionFilter.Attention) -> String {
        switch attention {
        case .pending: keys(at: [.atProvider, .behindOtherPayment, .atUser, .atApproval, .atResolution])
        case .unfinished: keys(at: [.ended])
        case .needsReview: "\(keys(marked: .inReview)) UNION \(renewalsInReview)"
        case .interrupted: "\(keys(marked: .interrupted)) UNION \(keys(at: [.atResolution]))"
        case .revoked: keys(marked: .revoked)
        }
    }

    private static func keys(at places: [Place]) -> String {
        "SELECT key FROM transactions WHERE place IN \(places.list)"
    }

    private static func keys(marked kind: Mark.Kind) -> String {
        "SELECT key FROM marks WHERE kind = \(kind.rawValue)"
    }

    /// The last period of each subscription whose renewal is in review.
    private static let renewalsInReview = """
        SELECT coalesce(c.transaction_key, s.latest_key)
        FROM renewal_charges c LEFT JOIN subscriptions s ON s.key = c.subscription_key WHERE c.state = 5
        """
}
