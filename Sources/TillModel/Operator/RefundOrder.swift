public import FoundationEssentials

/// What an operator takes back of a purchase.
public struct RefundOrder: Hashable, Sendable, Identifiable {
    /// The refund's identity: the same order again is harmless.
    public var id: UUID
    public var transactionID: UUID
    /// How many of the payment's quantity; 0 stands for all that is left.
    public var quantity: Int
    public var reason: Revocation.Reason
    /// Revokes without giving money back.
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
