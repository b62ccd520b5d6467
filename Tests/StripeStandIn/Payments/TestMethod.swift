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
    /// What the payer types: the number of a card, or of the account that is debited.
    var number: String
    var behaviour = Behaviour.approves
    var aftermath = Aftermath.none

    var isDebit: Bool { behaviour == .debits }
    var last4: String { String(number.suffix(4)) }

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
    static let visa = TestMethod(id: "pm_card_visa", number: "4242424242424242")

    /// Stripe's own numbers for its test methods. Source: <https://docs.stripe.com/testing>
    static let all: [TestMethod] =
        [
            visa,
            TestMethod(id: "pm_card_mastercard", brand: "mastercard", number: "5555555555554444"),
            TestMethod(id: "pm_bank_debit", brand: "bank", number: "DE89370400440532013000", behaviour: .debits),
            TestMethod(id: "pm_card_pendingRefund", number: "4000000000007726", aftermath: .refundPends),
            TestMethod(id: "pm_card_refundFail", number: "4000000000005126", aftermath: .refundFails),
        ] + declining + authenticating + disputed

    private static let declining = [
        declines("pm_card_visa_chargeDeclined", "4000000000000002", .card("generic_decline")),
        declines("pm_card_visa_chargeDeclinedInsufficientFunds", "4000000000009995", .card("insufficient_funds")),
        declines(
            "pm_card_visa_chargeDeclinedLostCard",
            "4000000000009987",
            .card("lost_card", advice: "do_not_try_again")
        ),
        declines(
            "pm_card_visa_chargeDeclinedStolenCard",
            "4000000000009979",
            .card("stolen_card", advice: "do_not_try_again")
        ),
        declines(
            "pm_card_visa_chargeDeclinedVelocityLimitExceeded",
            "4000000000006975",
            .card("card_velocity_exceeded")
        ),
        declines("pm_card_chargeCustomerFail", "4000000000000341", .card("generic_decline")),
        declines("pm_card_radarBlock", "4100000000000019", .card("fraudulent", advice: "do_not_try_again")),
        declines(
            "pm_card_chargeDeclinedExpiredCard",
            "4000000000000069",
            code: "expired_card",
            "Your card has expired."
        ),
        declines(
            "pm_card_chargeDeclinedIncorrectCvc",
            "4000000000000127",
            code: "incorrect_cvc",
            "The CVC is incorrect."
        ),
        declines(
            "pm_card_chargeDeclinedProcessingError",
            "4000000000000119",
            code: "processing_error",
            advice: "try_again_later",
            "An error occurred while processing your card. Try again in a little bit."
        ),
    ]

    private static let authenticating = [
        authenticates("pm_card_authenticationRequired", "4000002760003184", .always),
        authenticates("pm_card_authenticationRequiredOnSetup", "4000002500003155", .unlessSetUp),
        authenticates("pm_card_authenticationRequiredSetupForOffSession", "4000003800000446", .alreadySetUp),
        authenticates(
            "pm_card_authenticationRequiredChargeDeclinedInsufficientFunds",
            "4000008260003178",
            .declinesAfterwards
        ),
        authenticates("pm_card_threeDSecure2Required", "4000000000003220", .always),
    ]

    private static let disputed = [
        TestMethod(
            id: "pm_card_createDispute",
            number: "4000000000000259",
            aftermath: .dispute(reason: "fraudulent", isInquiry: false)
        ),
        TestMethod(
            id: "pm_card_createDisputeProductNotReceived",
            number: "4000000000002685",
            aftermath: .dispute(reason: "product_not_received", isInquiry: false)
        ),
        TestMethod(
            id: "pm_card_createDisputeInquiry",
            number: "4000000000001976",
            aftermath: .dispute(reason: "fraudulent", isInquiry: true)
        ),
    ]

    private static func declines(_ id: String, _ number: String, _ decline: Decline) -> TestMethod {
        TestMethod(id: id, number: number, behaviour: .declines(decline))
    }

    private static func declines(
        _ id: String,
        _ number: String,
        code: String,
        advice: String = "confirm_card_data",
        _ message: String
    ) -> TestMethod {
        declines(id, number, Decline(code: code, declineCode: code, adviceCode: advice, message: message))
    }

    private static func authenticates(_ id: String, _ number: String, _ need: Authentication) -> TestMethod {
        TestMethod(id: id, number: number, behaviour: .authenticates(need))
    }

    static func find(_ id: String) -> TestMethod? {
        all.first { $0.id == id }
    }
}
