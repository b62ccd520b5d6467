import FoundationEssentials
import TillModel

extension ExplanationText {
    static func actions(_ facts: Facts) -> [String] {
        let transaction = facts.transaction
        return switch transaction.state {
        case .purchasing, .deferred: waitingActions(facts)
        case .failed: failedActions(facts) + finish(transaction)
        case .purchased, .restored:
            reviewActions(facts) + refundActions(facts) + billingActions(facts) + finish(transaction)
        }
    }

    private static func waitingActions(_ facts: Facts) -> [String] {
        let id = facts.transaction.id.text
        return switch facts.transaction.blocker {
        case .approval: ["till approve \(id)", "till decline \(id)"]
        case .authorization: ["till agent"]
        case .resolution: ["till resolve \(id)"]
        case .provider where (facts.charge?.attempts ?? 0) > 0: ["till reconcile"]
        case .provider, .otherPayment, nil: []
        }
    }

    private static func failedActions(_ facts: Facts) -> [String] {
        let id = facts.transaction.id.text
        if facts.charge?.state == .needsReview {
            return outcomes(id) + ["till reconcile"]
        }
        return facts.transaction.isInterrupted ? ["till resolve \(id)"] : []
    }

    private static func reviewActions(_ facts: Facts) -> [String] {
        let refund = facts.refunds.first { $0.state == .needsReview }
        return refund.map { outcomes($0.id.text) } ?? []
    }

    private static func outcomes(_ id: String) -> [String] {
        ["till resolve \(id) --charged REFERENCE", "till resolve \(id) --not-charged"]
    }

    private static func refundActions(_ facts: Facts) -> [String] {
        let transaction = facts.transaction
        let refund = RefundDecision.Facts(transaction: transaction, charge: facts.charge, refunds: facts.refunds)
        if refund.isRepetition, let original = transaction.original {
            return ["till refund \(original.id.text)"]
        }
        return refund.remaining > 0 ? ["till refund \(transaction.id.text)"] : []
    }

    private static func billingActions(_ facts: Facts) -> [String] {
        guard facts.renewal == nil else {
            return outcomes(facts.transaction.id.text)
        }
        return switch facts.subscription?.state {
        case .inBillingRetryPeriod, .inGracePeriod: ["till resolve \(facts.transaction.id.text)"]
        default: []
        }
    }

    private static func finish(_ transaction: TransactionRecord) -> [String] {
        transaction.finishedAt == nil ? ["till finish \(transaction.id.text)"] : []
    }
}
