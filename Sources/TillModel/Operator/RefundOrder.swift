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
