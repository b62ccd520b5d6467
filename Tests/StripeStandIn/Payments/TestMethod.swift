/// The reason why a card was declined.
struct Decline: Hashable, Sendable {
    var code: String
    var declineCode: String
    var adviceCode: String?
    var message: String

    static func card(_ declineCode: String, advice: String? = "try_again_later") -> Decline {
        Decline(
            code: "card_declined",
            declineCode: declineCode,
            adviceCode: advice,
            message: "Your card was declined."
        )
    }

    static let authenticationRequired = Decline(
        code: "authentication_required",
        declineCode: "authentication_required",
        message: "Your card was declined. This transaction requires authentication."
    )
}

/// A payment method of Stripe's test mode, such as `pm_card_visa`, and how it behaves.
struct TestMethod: Hashable, Sendable {
    enum Authentication: Hashable, Sendable {
        case always
        /// Off-session payments need none after the card was set up.
        case unlessSetUp
        /// As if the card had been set up already.
        case alreadySetUp
        /// Authentication succeeds, and the card is declined then.
        case declinesAfterwards
    }

    enum Behaviour: Hashable, Sendable {
        case approves
        case declines(Decline)
        case authenticates(Authentication)
        /// The result is known days later.
        case debits
    }

    /// What happens after a successful charge.
    enum Aftermath: Hashable, Sendable {
        case none, refundPends, refundFails
        case dispute(reason: String, isInquiry: Bool)
    }

    /// What confirming does.
    enum Decision: Hashable, Sendable {
        case succeed, authenticate, process
        case decline(Decline)
    }

    var id: String
    var brand = "visa"
    var last4: String
    var behaviour = Behaviour.approves
    var aftermath = Aftermath.none

    var isDebit: Bool { behaviour == .debits }

    /// Decides about a confirmation.
    /// - Parameter isSetUp: Whether the method was set up for payments without the payer.
    func decide(isOffSession: Bool, isSetUp: Bool) -> Decision {
        switch behaviour {
        case .approves: .succeed
        case .declines(let decline): .decline(decline)
        case .debits: .process
        case .authenticates(let need) where isOffSession:
            switch need {
            case .alreadySetUp: .succeed
            case .unlessSetUp where isSetUp: .succeed
            case .always, .unlessSetUp: .decline(.authenticationRequired)
            case .declinesAfterwards: .decline(.card("insufficient_funds"))
            }
        case .authenticates: .authenticate
        }
    }

    /// Decides about a payment after its payer has authenticated.
    var decisionAfterAuthentication: Decision {
        behaviour == .authenticates(.declinesAfterwards) ? .decline(.card("insufficient_funds")) : .succeed
    }
}

extension TestMethod {
    static let all: [TestMethod] =
        [
            TestMethod(id: "pm_card_visa", last4: "4242"),
            TestMethod(id: "pm_card_mastercard", brand: "mastercard", last4: "4444"),
            TestMethod(id: "pm_bank_debit", brand: "bank", last4: "3000", behaviour: .debits),
            TestMethod(id: "pm_card_pendingRefund", last4: "7726", aftermath: .refundPends),
            TestMethod(id: "pm_card_refundFail", last4: "5126", aftermath: .refundFails),
        ] + declining + authenticating + disputed

    private static let declining = [
        declines("pm_card_visa_chargeDeclined", "0002", .card("generic_decline")),
        declines("pm_card_visa_chargeDeclinedInsufficientFunds", "9995", .card("insufficient_funds")),
        declines("pm_card_visa_chargeDeclinedLostCard", "9987", .card("lost_card", advice: "do_not_try_again")),
        declines("pm_card_visa_chargeDeclinedStolenCard", "9979", .card("stolen_card", advice: "do_not_try_again")),
        declines("pm_card_visa_chargeDeclinedVelocityLimitExceeded", "6975", .card("card_velocity_exceeded")),
        declines("pm_card_chargeCustomerFail", "0341", .card("generic_decline")),
        declines("pm_card_radarBlock", "0019", .card("fraudulent", advice: "do_not_try_again")),
        declines("pm_card_chargeDeclinedExpiredCard", "0069", code: "expired_card", "Your card has expired."),
        declines("pm_card_chargeDeclinedIncorrectCvc", "0127", code: "incorrect_cvc", "The CVC is incorrect."),
        declines(
            "pm_card_chargeDeclinedProcessingError",
            "0119",
            code: "processing_error",
            advice: "try_again_later",
            "An error occurred while processing your card. Try again in a little bit."
        ),
    ]

    private static let authenticating = [
        authenticates("pm_card_authenticationRequired", "3184", .always),
        authenticates("pm_card_authenticationRequiredOnSetup", "3155", .unlessSetUp),
        authenticates("pm_card_authenticationRequiredSetupForOffSession", "3178", .alreadySetUp),
        authenticates("pm_card_authenticationRequiredChargeDeclinedInsufficientFunds", "8260", .declinesAfterwards),
        authenticates("pm_card_threeDSecure2Required", "3220", .always),
    ]

    private static let disputed = [
        TestMethod(
            id: "pm_card_createDispute",
            last4: "0259",
            aftermath: .dispute(reason: "fraudulent", isInquiry: false)
        ),
        TestMethod(
            id: "pm_card_createDisputeProductNotReceived",
            last4: "2685",
            aftermath: .dispute(reason: "product_not_received", isInquiry: false)
        ),
        TestMethod(
            id: "pm_card_createDisputeInquiry",
            last4: "1976",
            aftermath: .dispute(reason: "fraudulent", isInquiry: true)
        ),
    ]

    private static func declines(_ id: String, _ last4: String, _ decline: Decline) -> TestMethod {
        TestMethod(id: id, last4: last4, behaviour: .declines(decline))
    }

    private static func declines(
        _ id: String,
        _ last4: String,
        code: String,
        advice: String = "confirm_card_data",
        _ message: String
    ) -> TestMethod {
        declines(id, last4, Decline(code: code, declineCode: code, adviceCode: advice, message: message))
    }

    private static func authenticates(_ id: String, _ last4: String, _ need: Authentication) -> TestMethod {
        TestMethod(id: id, last4: last4, behaviour: .authenticates(need))
    }

    static func find(_ id: String) -> TestMethod? {
        all.first { $0.id == id }
    }
}
