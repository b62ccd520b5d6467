public import FoundationEssentials

/// An operator's order to refund or revoke a purchase.
public struct RefundOrder: Hashable, Sendable, Identifiable {
    /// The refund's id; repeating the same order is idempotent.
    public var id: UUID
    public var transactionID: UUID
    /// The quantity to refund; 0 means the whole remaining quantity.
    public var quantity: Int
    public var reason: Revocation.Reason
    /// Whether to revoke without refunding money.
    public var keepsMoney: Bool

    public init(
        id: UUID = .version7(),
        transactionID: UUID,
        quantity: Int = 0,
        reason: Revocation.Reason = .other,
        keepsMoney: Bool = false
    ) {
        self.id = id
        self.transactionID = transactionID
        self.quantity = quantity
        self.reason = reason
        self.keepsMoney = keepsMoney
    }
}

/// A refund as an operator sees it.
public struct RefundSummary: Hashable, Sendable, Identifiable {
    public enum State: Int, Hashable, Sendable, CaseIterable {
        /// The request has not been sent, or its outcome is unknown.
        case open = 0
        case succeeded = 1
        case failed = 2
        /// The outcome stayed unknown; an operator must determine it.
        case needsReview = 3
    }

    /// The refund's id, which is the provider's idempotency key.
    public var id: UUID
    /// The refunded quantity; 0 for money only.
    public var quantity: Int
    /// The amount in minor units; 0 if no money was refunded.
    public var amount: Int64
    /// ISO 4217.
    public var currency: String
    public var reason: Revocation.Reason
    public var state: State
    /// The provider's reference for the refund.
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
