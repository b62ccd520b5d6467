public import FoundationEssentials

/// Something that an account owns now, or is subscribed to.
public struct Entitlement: Hashable, Sendable {
    public var productID: String
    public var productType: ProductType
    /// The transaction that it rests on.
    public var transactionID: UUID
    public var transactionIdentifier: String
    public var purchaseDate: Date
    /// When it ends, for a subscription: after a grace period, the end of that.
    public var expirationDate: Date?
    /// Present exactly for an auto-renewable subscription.
    public var subscription: SubscriptionStatus?

    public init(
        productID: String,
        productType: ProductType,
        transactionID: UUID,
        transactionIdentifier: String,
        purchaseDate: Date,
        expirationDate: Date? = nil,
        subscription: SubscriptionStatus? = nil
    ) {
        self.productID = productID
        self.productType = productType
        self.transactionID = transactionID
        self.transactionIdentifier = transactionIdentifier
        self.purchaseDate = purchaseDate
        self.expirationDate = expirationDate
        self.subscription = subscription
    }
}
