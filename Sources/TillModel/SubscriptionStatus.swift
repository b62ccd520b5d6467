public import FoundationEssentials

/// How a subscription group stands for an account: at most one subscription of a group is in force at a time.
public struct SubscriptionStatus: Hashable, Sendable {
    public var groupID: String
    /// The product whose period is, or was last, in force.
    public var productID: String
    /// The product of the next renewal, another one after a downgrade.
    public var renewalProductID: String
    public var state: SubscriptionState
    /// The end of the last period that was paid for.
    public var expirationDate: Date
    /// Until when the subscription stays in force although its renewal was not paid for.
    public var gracePeriodExpirationDate: Date?
    public var willAutoRenew: Bool
    /// Present once expired.
    public var expirationReason: ExpirationReason?
    public var priceConsent: PriceConsent
    /// What the next renewal costs.
    public var renewalPrice: Price
    /// The identity of the payment that the subscription began with.
    public var originalID: UUID
    public var originalTransactionIdentifier: String
    /// The transaction of the last period that was paid for.
    public var latestID: UUID
    /// How it will renew, as a JWS in its compact form with Apple's `JWSRenewalInfoDecodedPayload`, which Apple's server
    /// libraries verify. Present in lists of subscriptions, where the store signs receipts.
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

    /// Whether the account may use what it subscribed to.
    public var isInForce: Bool {
        self == .subscribed || self == .inGracePeriod
    }
}

/// Why a subscription expired, by the App Store's numbers
/// (https://developer.apple.com/documentation/appstoreserverapi/expirationintent).
public enum ExpirationReason: Int, Hashable, Sendable, CaseIterable {
    case autoRenewDisabled = 1
    case billingError = 2
    case didNotConsentToPriceIncrease = 3
    case productUnavailable = 4
    case unknown = 5
}

/// What the account said of a higher price.
public enum PriceConsent: Int, Hashable, Sendable, CaseIterable {
    /// No higher price was announced.
    case none = 0
    /// Asked and not answered: without consent the subscription expires at the end of its period.
    case pending = 1
    case agreed = 2
    case declined = 3
}
