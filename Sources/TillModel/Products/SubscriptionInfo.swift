public import FoundationEssentials

/// The additional properties of an auto-renewable subscription.
public struct SubscriptionInfo: Hashable, Sendable {
    public var groupID: String
    public var groupName: String
    /// The level of service within the group; 1 is the highest.
    public var level: Int
    public var period: SubscriptionPeriod
    public var offers: [SubscriptionOffer]

    public init(groupID: String, groupName: String, level: Int, period: SubscriptionPeriod, offers: [SubscriptionOffer])
    {
        self.groupID = groupID
        self.groupName = groupName
        self.level = level
        self.period = period
        self.offers = offers
    }
}

/// A length of time in calendar units, as subscriptions are sold.
public struct SubscriptionPeriod: Hashable, Sendable {
    /// `SKProduct.PeriodUnit`, by its raw values.
    public enum Unit: Int, Hashable, Sendable, CaseIterable {
        case day = 0
        case week = 1
        case month = 2
        case year = 3
    }

    public var unit: Unit
    /// At least 1.
    public var value: Int

    public init(unit: Unit, value: Int) {
        self.unit = unit
        self.value = value
    }
}

/// A price for a limited time.
public struct SubscriptionOffer: Hashable, Sendable {
    public enum OfferType: Int, Hashable, Sendable, CaseIterable {
        case introductory = 0
        case promotional = 1
        case code = 2
        case winBack = 3
    }

    /// `SKProductDiscount.PaymentMode`, by its raw values.
    public enum PaymentMode: Int, Hashable, Sendable, CaseIterable {
        case payAsYouGo = 0
        case payUpFront = 1
        case freeTrial = 2
    }

    /// Nil for an introductory offer and an offer code.
    public var id: String?
    public var type: OfferType
    public var paymentMode: PaymentMode
    /// Zero for a free trial.
    public var price: Price
    public var period: SubscriptionPeriod
    /// The number of periods of the offer; at least 1.
    public var periodCount: Int

    public init(
        id: String?,
        type: OfferType,
        paymentMode: PaymentMode,
        price: Price,
        period: SubscriptionPeriod,
        periodCount: Int
    ) {
        self.id = id
        self.type = type
        self.paymentMode = paymentMode
        self.price = price
        self.period = period
        self.periodCount = periodCount
    }
}

/// The period of an auto-renewable subscription that a transaction paid for.
public struct SubscriptionTerm: Hashable, Sendable {
    public var groupID: String
    public var startDate: Date
    public var expirationDate: Date
    /// Whether it automatically followed another period.
    public var isRenewal: Bool
    /// The offer that determined its price.
    public var offer: AppliedOffer?
    /// Whether an upgrade ended it before its expiration date.
    public var isUpgraded: Bool
    /// The number of older unfinished renewals that this transaction represents, if the observer requested only the
    /// newest.
    public var collapsedCount: Int

    public init(
        groupID: String,
        startDate: Date,
        expirationDate: Date,
        isRenewal: Bool = false,
        offer: AppliedOffer? = nil,
        isUpgraded: Bool = false,
        collapsedCount: Int = 0
    ) {
        self.groupID = groupID
        self.startDate = startDate
        self.expirationDate = expirationDate
        self.isRenewal = isRenewal
        self.offer = offer
        self.isUpgraded = isUpgraded
        self.collapsedCount = collapsedCount
    }
}

/// The offer that a transaction used.
public struct AppliedOffer: Hashable, Sendable {
    public var type: SubscriptionOffer.OfferType
    /// Nil for an introductory offer.
    public var id: String?
    public var paymentMode: SubscriptionOffer.PaymentMode

    public init(type: SubscriptionOffer.OfferType, id: String?, paymentMode: SubscriptionOffer.PaymentMode) {
        self.type = type
        self.id = id
        self.paymentMode = paymentMode
    }
}
