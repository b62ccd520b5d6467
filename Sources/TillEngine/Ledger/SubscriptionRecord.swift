package import FoundationEssentials
package import TillModel

/// The state of a subscription group in a queue: one row for each, permanently from the first purchase on.
package struct SubscriptionRecord: Hashable, Sendable {
    /// A gap between paid periods, in seconds, up to which they are one series: 60 days, as the App Store counts
    /// (https://developer.apple.com/documentation/appstoreserverapi/recentsubscriptionstartdate).
    package static let lapseMaximum = 60 * 86_400.0

    /// The ledger's key; 0 until inserted.
    package var key: Int64
    package var queue: Int64
    package var groupID: String
    /// The transaction that the subscription began with.
    package var original: OriginalRecord
    /// The transaction of the last period that was paid for.
    package var latestKey: Int64
    package var productID: String
    package var renewalProductID: String
    package var state: SubscriptionState
    /// The last period that was paid for.
    package var periodStart: Date
    package var periodEnd: Date
    /// When the present series of periods began, in which no gap is longer than ``lapseMaximum``; nil when unknown.
    package var recentStart: Date?
    package var willRenew: Bool
    /// The price of a renewal without an offer, in minor units: existing subscribers pay it until they agree to a
    /// higher one.
    package var renewalAmount: Int64
    /// ISO 4217.
    package var currency: String
    /// The offer that sets the price of the next renewals, if one does.
    package var offer: OfferRecord?
    package var hasUsedIntroductoryOffer: Bool
    package var priceConsent: PriceConsent
    /// The price of renewals once it is agreed to.
    package var announcedAmount: Int64?
    package var graceEnd: Date?
    package var retryEnd: Date?
    /// How often the charge for the present renewal failed.
    package var attempts: Int
    package var expirationReason: ExpirationReason?
    /// When the next step is due; nil when no step is to come, or a charge is under way.
    package var dueAt: Date?

    package init(
        key: Int64 = 0,
        queue: Int64,
        groupID: String,
        original: OriginalRecord,
        latestKey: Int64,
        productID: String,
        renewalProductID: String,
        state: SubscriptionState = .subscribed,
        periodStart: Date,
        periodEnd: Date,
        recentStart: Date? = nil,
        willRenew: Bool = true,
        renewalAmount: Int64,
        currency: String,
        offer: OfferRecord? = nil,
        hasUsedIntroductoryOffer: Bool = false,
        priceConsent: PriceConsent = .none,
        announcedAmount: Int64? = nil,
        graceEnd: Date? = nil,
        retryEnd: Date? = nil,
        attempts: Int = 0,
        expirationReason: ExpirationReason? = nil,
        dueAt: Date?
    ) {
        self.key = key
        self.queue = queue
        self.groupID = groupID
        self.original = original
        self.latestKey = latestKey
        self.productID = productID
        self.renewalProductID = renewalProductID
        self.state = state
        self.periodStart = periodStart
        self.periodEnd = periodEnd
        self.recentStart = recentStart
        self.willRenew = willRenew
        self.renewalAmount = renewalAmount
        self.currency = currency
        self.offer = offer
        self.hasUsedIntroductoryOffer = hasUsedIntroductoryOffer
        self.priceConsent = priceConsent
        self.announcedAmount = announcedAmount
        self.graceEnd = graceEnd
        self.retryEnd = retryEnd
        self.attempts = attempts
        self.expirationReason = expirationReason
        self.dueAt = dueAt
    }
}

/// An offer that prices a subscription's next renewals, in the subscription's currency.
package struct OfferRecord: Hashable, Sendable {
    package var offer: AppliedOffer
    /// Minor units of one of its periods.
    package var amount: Int64
    /// How many more renewals it prices.
    package var remaining: Int

    package init(offer: AppliedOffer, amount: Int64, remaining: Int) {
        self.offer = offer
        self.amount = amount
        self.remaining = remaining
    }
}

package protocol SubscriptionReader {
    func subscription(key: Int64) throws -> SubscriptionRecord?
    func subscription(toGroup groupID: String, in queue: Int64) throws -> SubscriptionRecord?
    /// The queue's subscriptions with a key above `key`, by key.
    func subscriptions(in queue: Int64, afterKey key: Int64, limit: Int) throws -> [SubscriptionRecord]
    /// Subscriptions that are due at `date` or before, the longest due first.
    func dueSubscriptions(at date: Date, limit: Int) throws -> [SubscriptionRecord]
    /// Subscriptions of all queues whose account was asked to agree to a price and has not answered, with a key above
    /// `key`, by key: of one account, or of any when nil.
    func subscriptionsAwaitingConsent(account: String?, afterKey key: Int64, limit: Int) throws -> [SubscriptionRecord]
}

extension SubscriptionReader {
    /// Calls `body` with each of the queue's subscriptions, by key.
    func forEachSubscription(in queue: Int64, _ body: (SubscriptionRecord) throws -> Void) throws {
        let limit = 64
        var key: Int64 = 0
        while true {
            let page = try subscriptions(in: queue, afterKey: key, limit: limit)
            try page.forEach(body)
            guard page.count == limit, let last = page.last else {
                return
            }
            key = last.key
        }
    }
}

package protocol SubscriptionWriter {
    /// Inserts the subscription under a new key, above all keys before, and returns the key.
    func insert(_ subscription: SubscriptionRecord) throws -> Int64
    /// Replaces all but the key, the queue, the group and the original.
    func update(_ subscription: SubscriptionRecord) throws
}
