public import FoundationEssentials

/// A charge as an operator sees it.
public struct ChargeSummary: Hashable, Sendable {
    public enum State: Int, Hashable, Sendable, CaseIterable {
        /// The charge waits for another charge.
        case waiting = 0
        /// The request has not been sent, or its outcome is unknown.
        case open = 1
        case succeeded = 2
        case declined = 3
        /// No charge was needed: the product is already owned or free.
        case unneeded = 4
        /// The outcome stayed unknown; an operator must determine it.
        case needsReview = 5
        /// The charge must not be sent before a person agrees.
        case held = 6
    }

    /// The payment's id, which is the provider's idempotency key.
    public var paymentID: UUID
    public var state: State
    /// The amount in minor units.
    public var amount: Int64
    /// ISO 4217.
    public var currency: String
    /// How often the provider was called without a clear answer.
    public var attempts: Int
    /// The provider's reference for the charge.
    public var reference: String?
    /// When the provider is called next, for an open charge.
    public var dueAt: Date

    public init(
        paymentID: UUID,
        state: State,
        amount: Int64,
        currency: String,
        attempts: Int = 0,
        reference: String? = nil,
        dueAt: Date
    ) {
        self.paymentID = paymentID
        self.state = state
        self.amount = amount
        self.currency = currency
        self.attempts = attempts
        self.reference = reference
        self.dueAt = dueAt
    }
}
