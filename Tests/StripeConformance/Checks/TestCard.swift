package import TillModel

/// A card of Stripe's test mode that is declined (https://docs.stripe.com/testing#declined-payments).
package struct DeclinedCard: Hashable, Sendable {
    /// The payment method.
    package var method: String
    /// The error's code.
    package var code: String
    /// The issuer's reason; nil if Stripe documents none.
    package var declineCode: String?
    /// What Till makes of the decline.
    package var retry: RetrySafety
    /// What Till tells the application.
    package var providerCode: String

    private init(
        _ method: String,
        _ code: String,
        _ declineCode: String?,
        _ retry: RetrySafety,
        tells providerCode: String? = nil
    ) {
        self.method = method
        self.code = code
        self.declineCode = declineCode
        self.retry = retry
        self.providerCode = providerCode ?? declineCode ?? code
    }

    package static let all = [
        DeclinedCard("pm_card_visa_chargeDeclined", "card_declined", "generic_decline", .safe),
        DeclinedCard("pm_card_visa_chargeDeclinedInsufficientFunds", "card_declined", "insufficient_funds", .safe),
        DeclinedCard("pm_card_visa_chargeDeclinedLostCard", "card_declined", "lost_card", .never),
        DeclinedCard("pm_card_visa_chargeDeclinedStolenCard", "card_declined", "stolen_card", .never),
        DeclinedCard(
            "pm_card_visa_chargeDeclinedVelocityLimitExceeded",
            "card_declined",
            "card_velocity_exceeded",
            .safe
        ),
        DeclinedCard("pm_card_chargeDeclinedExpiredCard", "expired_card", nil, .never),
        DeclinedCard("pm_card_chargeDeclinedIncorrectCvc", "incorrect_cvc", nil, .never),
        DeclinedCard("pm_card_chargeDeclinedProcessingError", "processing_error", nil, .safe),
        DeclinedCard("pm_card_chargeCustomerFail", "card_declined", "generic_decline", .safe),
        DeclinedCard("pm_card_radarBlock", "card_declined", "fraudulent", .never, tells: "card_declined"),
    ]
}

/// A card of Stripe's test mode for which the bank wants the payer to confirm
/// (https://docs.stripe.com/testing#authentication-and-setup).
package struct AuthenticatedCard: Hashable, Sendable {
    package var method: String
    /// The intent's status if it is confirmed without the payer; nil if it is declined.
    package var statusWithoutPayer: String?
    /// The decline code without the payer.
    package var declineCode: String?

    private init(_ method: String, status: String? = nil, declined declineCode: String? = nil) {
        self.method = method
        statusWithoutPayer = status
        self.declineCode = declineCode
    }

    package static let all = [
        AuthenticatedCard("pm_card_authenticationRequired", declined: "authentication_required"),
        AuthenticatedCard("pm_card_authenticationRequiredOnSetup", declined: "authentication_required"),
        AuthenticatedCard("pm_card_authenticationRequiredSetupForOffSession", status: "succeeded"),
        AuthenticatedCard(
            "pm_card_authenticationRequiredChargeDeclinedInsufficientFunds",
            declined: "insufficient_funds"
        ),
        AuthenticatedCard("pm_card_threeDSecure2Required", declined: "authentication_required"),
    ]
}

/// A card of Stripe's test mode whose payment is disputed (https://docs.stripe.com/testing#disputes).
package struct DisputedCard: Hashable, Sendable {
    package var method: String
    package var reason: String
    package var status: String

    private init(_ method: String, _ reason: String, _ status: String) {
        self.method = method
        self.reason = reason
        self.status = status
    }

    /// Whether the bank only asks, and no money has moved.
    package var isInquiry: Bool { status.hasPrefix("warning") }

    package static let all = [
        DisputedCard("pm_card_createDispute", "fraudulent", "needs_response"),
        DisputedCard("pm_card_createDisputeProductNotReceived", "product_not_received", "needs_response"),
        DisputedCard("pm_card_createDisputeInquiry", "fraudulent", "warning_needs_response"),
    ]
}
