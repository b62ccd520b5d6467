public import FoundationEssentials

/// A charge as an operator sees it.
public struct ChargeSummary: Hashable, Sendable {
    public enum State: Int, Hashable, Sendable, CaseIterable {
        /// Another charge comes first.
        case waiting = 0
        /// To be sent, or perhaps sent.
        case open = 1
        case succeeded = 2
        case declined = 3
        /// Settled without the provider: the product turned out to be owned, or to cost nothing.
        case unneeded = 4
        /// Still unknown; an operator has to find out.
        case needsReview = 5
        /// Not to be sent before a person agrees.
        case held = 6
    }

    /// The payment's identity, which is the provider's idempotency key.
    public var paymentID: UUID
    public var state: State
    /// Minor units.
    public var amount: Int64
    /// ISO 4217.
    public var currency: String
    /// How often the provider was called without a clear answer.
    public var attempts: Int
    /// The provider's name for the charge.
    public var reference: String?
    /// When the provider is asked next, of an open charge.
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
