public import FoundationEssentials

/// The status of an account's subscription in a group. At most one subscription of a group is active at a time.
public struct SubscriptionStatus: Hashable, Sendable {
    public var groupID: String
    /// The product of the current or last period.
    public var productID: String
    /// The product of the next renewal, which differs after a downgrade.
    public var renewalProductID: String
    public var state: SubscriptionState
    /// The end of the last paid period.
    public var expirationDate: Date
    /// The end of the grace period of an unpaid renewal.
    public var gracePeriodExpirationDate: Date?
    public var willAutoRenew: Bool
    /// Present if expired.
    public var expirationReason: ExpirationReason?
    public var priceConsent: PriceConsent
    /// The price of the next renewal.
    public var renewalPrice: Price
    /// The id of the subscription's first payment.
    public var originalID: UUID
    public var originalTransactionIdentifier: String
    /// The transaction of the last paid period.
    public var latestID: UUID
    /// The renewal information as a compact JWS with Apple's `JWSRenewalInfoDecodedPayload`, which Apple's server
    /// libraries can verify. Present in lists of subscriptions if the store signs receipts.
    public var renewalInfo: String?

    public init(
        groupID: String,
        productID: String,
        renewalProductID: String,
        state: SubscriptionState,
        expirationDate: Date,
        gracePeriodExpirationDate: Date? = nil,
        willAutoRenew: Bool,
        expirationReason: ExpirationReason? = nil,
        priceConsent: PriceConsent = .none,
        renewalPrice: Price,
        originalID: UUID,
        originalTransactionIdentifier: String,
        latestID: UUID,
        renewalInfo: String? = nil
    ) {
        self.groupID = groupID
        self.productID = productID
        self.renewalProductID = renewalProductID
        self.state = state
        self.expirationDate = expirationDate
        self.gracePeriodExpirationDate = gracePeriodExpirationDate
        self.willAutoRenew = willAutoRenew
        self.expirationReason = expirationReason
        self.priceConsent = priceConsent
        self.renewalPrice = renewalPrice
        self.originalID = originalID
        self.originalTransactionIdentifier = originalTransactionIdentifier
        self.latestID = latestID
        self.renewalInfo = renewalInfo
    }
}

/// `Product.SubscriptionInfo.RenewalState`, by its raw values
/// (https://developer.apple.com/documentation/storekit/product/subscriptioninfo/renewalstate).
public enum SubscriptionState: Int, Hashable, Sendable, CaseIterable {
    case subscribed = 1
    case expired = 2
    case inBillingRetryPeriod = 3
    case inGracePeriod = 4
    case revoked = 5

    /// Whether the account may use the subscription.
    public var isInForce: Bool {
        self == .subscribed || self == .inGracePeriod
    }
}

/// The reason a subscription expired, by the App Store's numbers
/// (https://developer.apple.com/documentation/appstoreserverapi/expirationintent).
public enum ExpirationReason: Int, Hashable, Sendable, CaseIterable {
    case autoRenewDisabled = 1
    case billingError = 2
    case didNotConsentToPriceIncrease = 3
    case productUnavailable = 4
    case unknown = 5
}

/// The account's answer to a price increase.
public enum PriceConsent: Int, Hashable, Sendable, CaseIterable {
    /// There is no price increase.
    case none = 0
    /// The account has not answered. Without consent the subscription expires at the end of its period.
    case pending = 1
    case agreed = 2
    case declined = 3
}

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
