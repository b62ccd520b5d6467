public import FoundationEssentials

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
