/// Why a payment or a restore failed, for programs; finer than StoreKit's codes.
public enum FailureReason: Int, Hashable, Sendable, CaseIterable {
    case unspecified = 0
    /// The user said no.
    case cancelled = 1
    /// Who answers for the buyer said no.
    case declined = 2
    /// Nobody answered before the deadline.
    case expired = 3
    /// The application took the payment back before it was charged.
    case withdrawn = 4
    /// The purchase was interrupted; once that is resolved, another transaction continues it.
    case interrupted = 5
    /// The account may not pay.
    case notAllowed = 6
    /// The payment itself is wrong.
    case invalidPayment = 7
    /// The store does not sell the product.
    case productUnavailable = 8
    /// The provider declined the charge.
    case providerDeclined = 9
    /// The provider's answer stayed unknown; an operator has to find out.
    case outcomeUnknown = 10
    /// Nobody was there to ask for the user's consent, and the store refuses such payments.
    case noAgent = 11
    /// The discount's identifier, signature or price is wrong, or the account is not eligible for it.
    case invalidOffer = 12
    /// The simulated store was told to fail payments.
    case simulated = 13
    /// The provider could not be reached.
    case unreachable = 14
    /// Cancelled by who began it.
    case stopped = 15
}
