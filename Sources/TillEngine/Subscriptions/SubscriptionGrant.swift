import FoundationEssentials
import TillModel

/// The effect of a purchase, paid or free, on the subscription of its group.
struct SubscriptionGrant: Equatable {
    /// A period that was bought.
    struct Period: Equatable {
        var start: Date
        var end: Date
    }

    /// The rows and facts that it depends on.
    struct Facts {
        var product: Product
        var groupID: String
        var existing: SubscriptionRecord?
        /// The amount paid, perhaps before the storefront or the price changed.
        var paid: ReceiptFacts.Paid?
        /// The agreed price of each period after the offer.
        var agreedAfterOffer: ReceiptFacts.Paid?
        var rate: TimeRate
        var now: Date
    }

    /// With key 0 when it is new.
    var record: SubscriptionRecord
    /// Nil when nothing was paid for.
    var period: Period?
    /// Whether the period replaces one that has not ended.
    var endsPeriodEarly = false

    /// - Parameter transaction: Purchased and stored; an entitlement unless the product was owned.
    static func make(_ transaction: TransactionRecord, _ facts: Facts) -> SubscriptionGrant? {
        guard transaction.isEntitlement else {
            return facts.existing.map {
                SubscriptionGrant(record: owned($0, transaction.payment.discount, facts.product))
            }
        }
        let offer = transaction.offer.flatMap(facts.product.offer)
        let calendar = SubscriptionCalendar(rate: facts.rate)
        guard let end = calendar.end(of: facts.product, offer: offer, from: facts.now, anchor: facts.now) else {
            return nil
        }
        let period = Period(start: facts.now, end: end)
        var record = facts.existing ?? new(transaction, facts, period)
        record.begin(period, facts.product, paidBy: transaction.key)
        record.setPrice(facts, transaction.offer, offer)
        if transaction.offer?.type == .introductory {
            record.hasUsedIntroductoryOffer = true
        }
        return SubscriptionGrant(
            record: record,
            period: period,
            endsPeriodEarly: facts.existing?.isInForce(at: facts.now) ?? false
        )
    }

    /// The unused part of an amount when its period ends early, rounded down.
    static func unused(of amount: Int64, _ period: TermRecord, at date: Date) -> Int64 {
        let total = period.end.millisecondsSince1970 - period.start.millisecondsSince1970
        let left = period.end.millisecondsSince1970 - max(date, period.start).millisecondsSince1970
        guard amount > 0, total > 0, (1...total).contains(left) else {
            return 0
        }
        return total.dividingFullWidth(amount.multipliedFullWidth(by: left)).quotient
    }

    /// Buying the subscribed product turns auto-renewal on again; buying a downgrade makes it the product of the next
    /// renewal. A discount applies to the next renewals, which are paid in the subscription's currency.
    private static func owned(
        _ existing: SubscriptionRecord,
        _ discount: PaymentDiscount?,
        _ product: Product
    ) -> SubscriptionRecord {
        var record = existing
        record.willRenew = true
        if product.id != record.renewalProductID {
            record.renewalProductID = product.id
            record.offer = nil
            record.withdrawPriceQuestion()
        }
        if let offer = discount.flatMap({ product.promotionalOffer($0.identifier) }),
            offer.price.currency == record.currency
        {
            record.offer = OfferRecord(offer, used: 0)
        }
        return record
    }

    private static func new(_ transaction: TransactionRecord, _ facts: Facts, _ period: Period) -> SubscriptionRecord {
        SubscriptionRecord(
            queue: transaction.queue,
            groupID: facts.groupID,
            original: transaction.asOriginal,
            latestKey: transaction.key,
            productID: facts.product.id,
            renewalProductID: facts.product.id,
            periodStart: period.start,
            periodEnd: period.end,
            recentStart: period.start,
            renewalAmount: 0,
            currency: facts.product.price.currency,
            dueAt: period.end
        )
    }
}

extension SubscriptionRecord {
    /// Begins a bought period, the first one or the first after a change.
    fileprivate mutating func begin(
        _ period: SubscriptionGrant.Period,
        _ product: Product,
        paidBy key: Int64
    ) {
        state = .subscribed
        expirationReason = nil
        productID = product.id
        renewalProductID = product.id
        priceConsent = .none
        announcedAmount = nil
        enter(period, paidBy: key)
    }

    /// Without an offer, renewals cost the amount paid; after an offer, the agreed amount. If none is stored, they cost
    /// the store's price, and without a store price in the currency of the payment the subscription does not renew.
    fileprivate mutating func setPrice(
        _ facts: SubscriptionGrant.Facts,
        _ applied: AppliedOffer?,
        _ offer: SubscriptionOffer?
    ) {
        let listed = facts.product.price
        let agreed = applied == nil ? facts.paid : facts.agreedAfterOffer
        currency = agreed?.currency ?? facts.paid?.currency ?? listed.currency
        let full = agreed?.amount ?? (listed.currency == currency ? listed.minorUnits(quantity: 1) : nil)
        renewalAmount = full ?? facts.paid?.amount ?? 0
        willRenew = full != nil
        self.offer = offer.flatMap { OfferRecord($0, used: 1, paid: facts.paid?.amount) }
    }

    /// Makes the period the present one.
    mutating func enter(_ period: SubscriptionGrant.Period, paidBy key: Int64) {
        if period.start.timeIntervalSince(periodEnd) > Self.lapseMaximum {
            recentStart = period.start
        }
        state = .subscribed
        latestKey = key
        periodStart = period.start
        periodEnd = period.end
        clearBilling()
        dueAt = period.end
    }

    /// Withdraws the question about a higher price.
    mutating func withdrawPriceQuestion() {
        if priceConsent != .none {
            priceConsent = .none
            announcedAmount = nil
        }
    }
}

extension OfferRecord {
    /// The rest of an offer after so many of its charges; nil if none are left.
    ///
    /// - Parameter paid: The amount of the first of them.
    init?(_ offer: SubscriptionOffer, used: Int, paid: Int64? = nil) {
        guard let amount = paid ?? offer.chargeAmount, offer.chargeCount > used else {
            return nil
        }
        self.init(offer: AppliedOffer(offer), amount: amount, remaining: offer.chargeCount - used)
    }
}
