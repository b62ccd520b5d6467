/// The detailed reason a payment or a restore failed, for programs; more specific than StoreKit's codes.
public enum FailureReason: Int, Hashable, Sendable, CaseIterable {
    case unspecified = 0
    /// The user declined.
    case cancelled = 1
    /// The buyer's approver declined.
    case declined = 2
    /// The deadline passed without an answer.
    case expired = 3
    /// The application withdrew the payment before it was charged.
    case withdrawn = 4
    /// The purchase was interrupted; once the interruption is resolved, another transaction completes it.
    case interrupted = 5
    /// The account is not allowed to pay.
    case notAllowed = 6
    /// The payment is invalid.
    case invalidPayment = 7
    /// The store does not sell the product.
    case productUnavailable = 8
    /// The provider declined the charge.
    case providerDeclined = 9
    /// The outcome of the charge is unknown; an operator must determine it.
    case outcomeUnknown = 10
    /// No authorisation agent was available to ask for the user's consent, and the store refuses such payments.
    case noAgent = 11
    /// The discount's identifier, signature or price is invalid, or the account is not eligible for it.
    case invalidOffer = 12
    /// The simulated store is set to fail payments.
    case simulated = 13
    /// The provider could not be reached.
    case unreachable = 14
    /// The client that began it cancelled it.
    case stopped = 15
}
