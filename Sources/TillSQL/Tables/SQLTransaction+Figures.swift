package import FoundationEssentials
package import TillEngine
import TillMetrics
import TillModel

extension SQLTransaction: FigureReader {
    package func figures(at date: Date) throws -> LedgerFigures {
        try writeTransactions()
        return LedgerFigures(unfinished: try unfinished(), inReview: try inReview(), due: try due(at: date))
    }

    private func unfinished() throws -> [UnfinishedWait: LedgerFigures.Waiting] {
        var unfinished: [UnfinishedWait: LedgerFigures.Waiting] = [:]
        for place in Place.unfinished {
            if let wait = place.wait, let waiting = try waiting(at: place) {
                unfinished[wait] = waiting
            }
        }
        return unfinished
    }

    /// The index over places gives the count and the lowest key, which is that of the oldest transaction. One query for each
    /// place is several times as fast as one that groups by place.
    private func waiting(at place: Place) throws -> LedgerFigures.Waiting? {
        let found = try rows(
            of: "transactions",
            "SELECT min(key), count(*) FROM transactions WHERE place = ?1",
            [SQLValue(place.rawValue)]
        ) { columns in
            (key: try columns.integerIfPresent(), count: try columns.int("count", nil))
        }
        guard let (key, count) = found.first, let key else {
            return nil
        }
        let created = try rows(
            of: "transactions",
            "SELECT key, created_at FROM transactions WHERE key = ?1",
            [SQLValue(key)]
        ) { columns in
            columns.skip(1)
            return try columns.date("created_at", nil)
        }
        return LedgerFigures.Waiting(count: count, oldest: created.first)
    }

    /// Charges of purchases have marks; those of renewals have a table of their own.
    private func inReview() throws -> [ReviewedWork: Int] {
        let marked = try count(
            "marks",
            "kind = ?1 AND owner = 0 AND name = ''",
            [SQLValue(Mark.Kind.inReview.rawValue)]
        )
        let renewals = try count("renewal_charges", "state = 5", [])
        return [.charge: marked + renewals, .refund: try count("refunds", "state = 3", [])]
    }

    private func due(at date: Date) throws -> [DueWork: Int] {
        let values = [SQLValue(date)]
        let purchases = try count("transactions", "charge_due_at <= ?1", values)
        let renewals = try count("renewal_charges", "state = 1 AND due_at <= ?1", values)
        return [
            .charge: purchases + renewals,
            .refund: try count("refunds", "state = 0 AND due_at <= ?1", values),
            .subscription: try count("subscriptions", "due_at <= ?1", values),
            .deadline: try count("transactions", "deadline <= ?1", values),
        ]
    }

    private func count(_ table: String, _ condition: String, _ values: [SQLValue]) throws -> Int {
        try rows(of: table, "SELECT count(*) FROM \(table) WHERE \(condition)", values) {
            try $0.int("count", nil)
        }.first ?? 0
    }
}

extension Place {
    /// What an unfinished transaction at this place waits for; nil at the others.
    fileprivate var wait: UnfinishedWait? {
        switch self {
        case .ended: .application
        case .atProvider: .provider
        case .behindOtherPayment: .otherPayment
        case .atUser: .user
        case .atApproval: .approval
        case .atResolution: .resolution
        case .left, .revoked: nil
        }
    }
}
