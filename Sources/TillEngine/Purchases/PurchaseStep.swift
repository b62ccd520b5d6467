import FoundationEssentials
import TillModel

/// The steps between a payment and its charge: approval or the user's consent, then an interruption.
enum PurchaseStep: Equatable {
    /// The last step that a payment has passed.
    enum Stage: Int, CaseIterable {
        case added
        /// Approved, or agreed to.
        case agreed
        /// An interruption was resolved.
        case resolved
    }

    struct Facts {
        var settings = StoreSettings()
        /// Whether the payment itself asks for Ask to Buy.
        var simulatesAskToBuy = false
        /// Whether an authorisation agent can ask the user.
        var isAgentAttached = false
        /// Whether the provider asks the user itself.
        var providerAsksPayer = false
        var now: Date
        var deadlines = Deadlines()
    }

    case wait(TransactionState, Blocker, until: Date)
    case fail(PaymentError, isInterrupted: Bool)
    case charge

    static func next(after stage: Stage, _ facts: Facts) -> PurchaseStep {
        switch stage {
        case .added: agreement(facts) ?? interruption(facts) ?? .charge
        case .agreed: interruption(facts) ?? .charge
        case .resolved: .charge
        }
    }

    /// Approval replaces the buyer's own consent.
    private static func agreement(_ facts: Facts) -> PurchaseStep? {
        if facts.settings.isAskToBuyEnabled || facts.simulatesAskToBuy {
            return .wait(
                .deferred,
                .approval,
                until: facts.now.addingTimeInterval(facts.deadlines.approval.timeInterval)
            )
        }
        guard !facts.settings.areDialogsDisabled, !facts.providerAsksPayer else {
            return nil
        }
        let ask = PurchaseStep.wait(
            .purchasing,
            .authorization,
            until: facts.now.addingTimeInterval(facts.deadlines.authorization.timeInterval)
        )
        if facts.isAgentAttached {
            return ask
        }
        switch facts.settings.authorizationPolicy {
        case .automatic: return nil
        case .wait: return ask
        case .refuse: return .fail(nobodyToAsk, isInterrupted: false)
        }
    }

    private static func interruption(_ facts: Facts) -> PurchaseStep? {
        guard facts.settings.interruptsPurchases else {
            return nil
        }
        guard facts.settings.defersInterruptedPurchases else {
            return .fail(interrupted, isInterrupted: true)
        }
        let end = facts.now.addingTimeInterval(facts.deadlines.resolution.timeInterval)
        return .wait(.deferred, .resolution, until: end)
    }

    private static let nobodyToAsk = PaymentError(
        .clientInvalid,
        "Nobody can ask the user for consent: start an authorisation agent, for example till agent.",
        reason: .noAgent
    )

    private static let interrupted = PaymentError(
        .paymentCancelled,
        "The purchase was interrupted; another transaction continues it once that is resolved.",
        retry: .never,
        reason: .interrupted
    )
}
