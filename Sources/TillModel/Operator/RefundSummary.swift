public import FoundationEssentials

/// A refund as an operator sees it.
public struct RefundSummary: Hashable, Sendable, Identifiable {
    public enum State: Int, Hashable, Sendable, CaseIterable {
        /// To be sent, or perhaps sent.
        case open = 0
        case succeeded = 1
        case failed = 2
        /// Still unknown; an operator has to find out.
        case needsReview = 3
    }

    /// The refund's identity, and the provider's idempotency key.
    public var id: UUID
    /// How many of the payment's quantity; 0 for money alone.
    public var quantity: Int
    /// Minor units; 0 when the money was kept.
    public var amount: Int64
    /// ISO 4217.
    public var currency: String
    public var reason: Revocation.Reason
    public var state: State
    /// The provider's name for the refund.
    public var reference: String?
    public var createdAt: Date

    public init(
        id: UUID,
        quantity: Int,
        amount: Int64,
        currency: String,
        reason: Revocation.Reason,
        state: State,
        reference: String? = nil,
        createdAt: Date
    ) {
        self.id = id
        self.quantity = quantity
        self.amount = amount
        self.currency = currency
        self.reason = reason
        self.state = state
        self.reference = reference
        self.createdAt = createdAt
    }
}
