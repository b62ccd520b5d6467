public import FoundationEssentials

/// A product that an account currently owns or is subscribed to.
public struct Entitlement: Hashable, Sendable {
    public var productID: String
    public var productType: ProductType
    /// The transaction that grants the entitlement.
    public var transactionID: UUID
    public var transactionIdentifier: String
    public var purchaseDate: Date
    /// The expiration date of a subscription, including a grace period.
    public var expirationDate: Date?
    /// Present only for an auto-renewable subscription.
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
