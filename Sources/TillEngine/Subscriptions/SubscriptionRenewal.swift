import FoundationEssentials
import TillModel

/// The effect of a paid renewal on a subscription.
struct SubscriptionRenewal: Equatable {
    /// The payment for a renewal.
    struct Payment: Equatable {
        var productID: String
        var amount: Int64
        /// ISO 4217.
        var currency: String
        /// The offer that set the amount.
        var offer: AppliedOffer?
        /// The date that it counts from.
        var date: Date
    }

    /// The rows and facts that it depends on.
    struct Facts {
        /// The product paid for; nil when the store no longer has it.
        var product: Product?
        var rate: TimeRate
        /// Whether the subscription was bought again before the payment was known, so that its price comes from that
        /// purchase.
        var isLate = false
        /// The start that days of the month are counted from.
        var anchor: Date
    }

    var period: SubscriptionGrant.Period
    /// The offer that set the price.
    var offer: AppliedOffer?
    /// The subscription, without the transaction of the period, which has no key yet.
    var record: SubscriptionRecord

    static func make(_ record: SubscriptionRecord, _ payment: Payment, _ facts: Facts) -> SubscriptionRenewal {
        let start = start(of: record, payment.date)
        let offer = payment.offer.flatMap { facts.product?.offer($0) }
        let calendar = SubscriptionCalendar(rate: facts.rate)
        let end =
            facts.product.flatMap { calendar.end(of: $0, offer: offer, from: start, anchor: facts.anchor) }
            ?? start.addingTimeInterval(record.periodEnd.timeIntervalSince(record.periodStart)).roundedToMilliseconds
        let period = SubscriptionGrant.Period(start: start, end: end)
        var renewed = record
        if !facts.isLate {
            renewed.renew(payment, facts.product)
        }
        renewed.enter(period, paidBy: record.latestKey)
        return SubscriptionRenewal(period: period, offer: payment.offer, record: renewed)
    }

    /// The start of a period that is paid for as of a date: without a gap, unless the subscription was not in force.
    static func start(of record: SubscriptionRecord, _ date: Date) -> Date {
        switch record.state {
        case .subscribed, .inGracePeriod: record.periodEnd
        case .inBillingRetryPeriod, .expired, .revoked: max(date, record.periodEnd)
        }
    }

    /// The date from which a charge pays for a renewal: the time of the attempt, unless the charge was made before or
    /// its outcome was unknown until now.
    static func date(of record: SubscriptionRecord, chargedAt charged: Date, now: Date) -> Date {
        guard !record.hasEnded, !record.isUnderReview else {
            return now
        }
        return min(record.nextAttempt ?? charged, charged)
    }
}

extension SubscriptionRecord {
    fileprivate mutating func renew(_ payment: SubscriptionRenewal.Payment, _ product: Product?) {
        if payment.offer == nil {
            renewalAmount = payment.amount
        } else if let price = RenewalPrice(self, product: product) {
            renewalAmount = price.fullAmount
        }
        if payment.currency != currency {
            offer = nil
        }
        currency = payment.currency
        endPriceQuestion(payment, product)
        productID = payment.productID
        if let used = offer, used.offer == payment.offer {
            offer = used.afterOneMore
        }
        expirationReason = nil
    }

    /// Ends the question about a price that was agreed to, unless the payment had begun before. An agreed price above
    /// the catalogue's stays stored, so that the catalogue does not undercut it.
    private mutating func endPriceQuestion(_ payment: SubscriptionRenewal.Payment, _ product: Product?) {
        if productID != payment.productID {
            priceConsent = .none
            announcedAmount = nil
        } else if priceConsent == .agreed, payment.offer != nil || payment.amount == announcedAmount {
            priceConsent = .none
            let listed = product?.price.minorUnits(quantity: 1) ?? 0
            if let announced = announcedAmount, announced <= listed {
                announcedAmount = nil
            }
        }
    }
}

extension OfferRecord {
    /// The rest of it after one more renewal.
    fileprivate var afterOneMore: OfferRecord? {
        remaining > 1 ? OfferRecord(offer: offer, amount: amount, remaining: remaining - 1) : nil
    }
}

/// The price of the next renewal, and the offer in it.
struct RenewalPrice: Equatable {
    /// Minor units.
    var amount: Int64
    /// ISO 4217.
    var currency: String
    /// The offer that sets the amount, which is in the subscription's currency.
    var offer: OfferRecord?
    /// The price of renewals after the offer.
    var fullAmount: Int64

    /// Existing subscribers keep their price, unless they agreed to a higher one, or the store's price is lower by now
    /// and their price is not one that they agreed to. Another product costs the store's price.
    ///
    /// Nil when the store does not have the product, or its price cannot be charged.
    init?(_ record: SubscriptionRecord, product: Product?) {
        guard let product else {
            return nil
        }
        let listed = product.price.minorUnits(quantity: 1)
        if record.renewalProductID != record.productID {
            guard let listed else {
                return nil
            }
            fullAmount = listed
            currency = product.price.currency
        } else {
            let agreed = record.priceConsent == .agreed ? record.announcedAmount : nil
            let own = agreed ?? record.renewalAmount
            let isAgreedTo = record.announcedAmount == own
            let isComparable = product.price.currency == record.currency && !isAgreedTo
            fullAmount = isComparable ? min(own, listed ?? own) : own
            currency = record.currency
        }
        let isOfferPayable = currency == record.currency
        offer = record.offer.flatMap { $0.remaining > 0 && isOfferPayable ? $0 : nil }
        amount = offer?.amount ?? fullAmount
    }
}
