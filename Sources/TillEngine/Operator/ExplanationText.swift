import FoundationEssentials
import TillModel

/// Explains a transaction's state in a sentence, with actions that are safe.
struct ExplanationText: Equatable {
    /// The rows that it depends on.
    struct Facts {
        var transaction: TransactionRecord
        var charge: ChargeRecord?
        var refunds: [RefundRecord] = []
        /// The subscription that its period belongs to.
        var subscription: SubscriptionRecord?
        /// The charge for a renewal of that subscription whose outcome is unknown.
        var renewal: ChargeRecord?
        /// The name of an open dispute about any payment of the account.
        var dispute: String?
        /// Whether the receipt and the history have been removed.
        var isPruned = false
    }

    var sentence: String
    /// Commands for the command line.
    var actions: [String]

    init(_ facts: Facts) {
        sentence = Self.sentence(facts) + (facts.isPruned ? " \(Self.pruned)" : "")
        actions = Self.actions(facts)
    }

    private static func sentence(_ facts: Facts) -> String {
        switch facts.transaction.state {
        case .purchasing, .deferred: waiting(facts)
        case .failed: failed(facts)
        case .purchased, .restored: owned(facts)
        }
    }

    private static let pruned = "Its receipt and its history were removed after the time that `retention` gives them."

    private static func waiting(_ facts: Facts) -> String {
        let transaction = facts.transaction
        return switch transaction.blocker {
        case .provider: waitingForProvider(facts.charge)
        case .otherPayment:
            "It waits for another payment for \(transaction.payment.productID), which the account can own only once."
        case .authorization:
            "It waits for the user's consent, which an authorisation agent asks for; \(end(transaction))."
        case .approval:
            "It waits for the buyer's approver (Ask to Buy); \(end(transaction))."
        case .resolution:
            "The purchase is interrupted and waits until that is resolved; \(end(transaction))."
        case .payerAction: "It waits for its payer, who has to act on the provider's page."
        case nil: "It is about to be charged."
        }
    }

    private static func waitingForProvider(_ charge: ChargeRecord?) -> String {
        guard let charge, charge.attempts > 0 else {
            return "The provider has been asked to charge, and has not answered yet."
        }
        return
            "The provider was called \(charge.attempts) times without a clear answer, so that money may have moved; it"
            + " is asked again at \(text(charge.dueAt))."
    }

    private static func failed(_ facts: Facts) -> String {
        let transaction = facts.transaction
        if let charge = facts.charge, charge.state == .needsReview {
            return
                "The provider's answer stayed unknown, so that money may have moved: look for"
                + " \(charge.reference ?? transaction.id.text) in the provider's own records."
        }
        if transaction.isInterrupted {
            return "The purchase was interrupted; once that is resolved, another transaction continues it."
        }
        let reason = transaction.error?.message ?? "The cause is unknown."
        return "It failed: \(reason) \(delivery(transaction))"
    }

    private static func owned(_ facts: Facts) -> String {
        let transaction = facts.transaction
        var sentence = beginning(transaction)
        if let subscription = facts.subscription, transaction.term != nil {
            sentence += " Its subscription is \(subscription.state.text)."
            sentence += renewalText(subscription, facts.dispute)
        }
        if let renewal = facts.renewal {
            sentence += " The provider's answer to its renewal stayed unknown, so that money may have moved: look for"
            sentence += " \(renewal.request.paymentID.text) in the provider's own records."
        }
        if let refund = facts.refunds.first(where: { $0.state == .needsReview }) {
            sentence +=
                refund.reference.map { " \($0) at the provider takes money back, and is not decided yet." }
                ?? " The provider's answer to a refund stayed unknown."
        } else if facts.refunds.contains(where: { $0.state == .open }) {
            sentence += " A refund waits for the provider's answer."
        }
        if let revocation = transaction.revocation {
            sentence += " \(revocation.quantity) of \(transaction.payment.quantity) were revoked on"
            sentence +=
                " \(text(revocation.date))\(transaction.isRevocationPending ? ", which no observer has seen" : "")."
        }
        return "\(sentence) \(delivery(transaction))"
    }

    /// When the unpaid renewal is tried again, or why it is not.
    private static func renewalText(_ subscription: SubscriptionRecord, _ dispute: String?) -> String {
        guard !subscription.hasEnded, subscription.willRenew else {
            return subscription.hasEnded ? "" : " It does not renew."
        }
        if let dispute {
            return " No renewal is charged while a dispute is open: it waits until \(dispute) is decided."
        }
        return switch subscription.hold {
        case .paymentMethod:
            " The renewal is not tried again by itself, because the payment method cannot pay for it, or only if the"
                + " payer confirms that. It is tried at once when the payer changes the payment method."
        case .review, .dispute: ""
        case nil: subscription.nextAttempt.map { " The renewal is tried again at \(text($0))." } ?? ""
        }
    }

    private static func beginning(_ transaction: TransactionRecord) -> String {
        if transaction.state == .restored {
            return "It was restored."
        }
        if let continued = transaction.continues {
            return "It was purchased, and continues \(continued.text)."
        }
        return transaction.original == nil || transaction.term != nil
            ? "It was purchased." : "It was purchased free of charge, since the account owned it."
    }

    private static func delivery(_ transaction: TransactionRecord) -> String {
        transaction.finishedAt.map { "The application finished it on \(text($0))." }
            ?? "It is delivered until the application finishes it."
    }

    private static func end(_ transaction: TransactionRecord) -> String {
        transaction.deadline.map { "without an answer it fails at \(text($0))" } ?? "it has no deadline"
    }

    private static func text(_ date: Date) -> String {
        date.formatted(.iso8601)
    }
}

extension SubscriptionState {
    /// The state as text for people.
    fileprivate var text: String {
        switch self {
        case .subscribed: "in force"
        case .expired: "expired"
        case .inBillingRetryPeriod: "not in force, because its renewal was not paid for"
        case .inGracePeriod: "in force although its renewal was not paid for"
        case .revoked: "revoked"
        }
    }
}

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
        case .provider, .otherPayment, .payerAction, nil: []
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
        guard facts.dispute == nil else {
            return []
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
