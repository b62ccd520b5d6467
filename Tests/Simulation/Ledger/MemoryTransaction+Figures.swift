import FoundationEssentials
import TillEngine
import TillMetrics
import TillModel

extension MemoryTransaction: FigureReader {
    func figures(at date: Date) -> LedgerFigures {
        let waiting = Dictionary(grouping: state.transactions.values.filter { $0.finishedAt == nil }, by: \.wait)
        let charges = state.chargesInReview.elements.count
        return LedgerFigures(
            unfinished: waiting.mapValues { transactions in
                let oldest = transactions.min { $0.key < $1.key }
                return LedgerFigures.Waiting(count: transactions.count, oldest: oldest?.createdAt)
            },
            inReview: [.charge: charges, .refund: state.refunds.values.count { $0.state == .needsReview }],
            due: [
                .charge: state.dueCharges.keys(at: date, limit: .max).count,
                .refund: state.dueRefunds.keys(at: date, limit: .max).count,
                .subscription: state.dueSubscriptions.keys(at: date, limit: .max).count,
                .deadline: state.deadlines.keys(at: date, limit: .max).count,
            ]
        )
    }
}

extension TransactionRecord {
    /// What an unfinished transaction waits for.
    fileprivate var wait: UnfinishedWait {
        guard !state.isFinal else {
            return .application
        }
        return switch blocker {
        case nil, .provider: .provider
        case .otherPayment: .otherPayment
        case .authorization, .payerAction: .user
        case .approval: .approval
        case .resolution: .resolution
        }
    }
}
