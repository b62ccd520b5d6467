import TillEngine
import TillModel

extension SubscriptionRecord {
    /// Subscriptions with their originals, which give the columns that ``init(_:)`` reads.
    ///
    /// - Parameter source: The table as `t`, with the index where SQLite would take a worse one.
    static func selection(from source: String = "subscriptions t") -> String {
        """
        SELECT t.key, t.queue, t.group_id, t.original_key, \(OriginalRecord.columns), t.latest_key, t.product_id,
            t.renewal_product_id, t.state, t.period_start, t.period_end, t.recent_start, t.will_renew, t.renewal_amount,
            t.currency, \(OfferRecord.columns), t.has_used_introductory_offer, t.price_consent, t.announced_amount, t.grace_end,
            t.retry_end, t.attempts, t.expiration_reason, t.due_at
        FROM \(source) LEFT JOIN transactions o ON o.key = t.original_key
        """
    }

    init(_ columns: inout Columns) throws {
        self.init(
            key: try columns.integer(),
            queue: try columns.integer(),
            groupID: try columns.text(),
            original: try OriginalRecord(&columns),
            latestKey: try columns.integer(),
            productID: try columns.text(),
            renewalProductID: try columns.text(),
            state: try columns.value(SubscriptionState.self),
            periodStart: try columns.date(),
            periodEnd: try columns.date(),
            recentStart: try columns.dateIfPresent(),
            willRenew: try columns.flag(),
            renewalAmount: try columns.integer(),
            currency: try columns.text(),
            offer: try OfferRecord(ifPresentIn: &columns),
            hasUsedIntroductoryOffer: try columns.flag(),
            priceConsent: try columns.value(PriceConsent.self),
            announcedAmount: try columns.integerIfPresent(),
            graceEnd: try columns.dateIfPresent(),
            retryEnd: try columns.dateIfPresent(),
            attempts: try columns.int(),
            expirationReason: try columns.valueIfPresent(ExpirationReason.self),
            dueAt: try columns.dateIfPresent()
        )
    }

    /// The values of the columns that never change.
    var fixedValues: [SQLValue] {
        [SQLValue(queue), SQLValue(groupID), SQLValue(original.key)]
    }

    /// The values of the columns from `latest_key` on, all of which may change.
    var changingValues: [SQLValue] {
        [
            SQLValue(latestKey), SQLValue(productID), SQLValue(renewalProductID), SQLValue(state.rawValue),
            SQLValue(periodStart), SQLValue(periodEnd), SQLValue(recentStart), SQLValue(willRenew),
            SQLValue(renewalAmount), SQLValue(currency),
        ] + OfferRecord.values(offer) + [
            SQLValue(hasUsedIntroductoryOffer), SQLValue(priceConsent.rawValue), SQLValue(announcedAmount),
            SQLValue(graceEnd), SQLValue(retryEnd), SQLValue(attempts), SQLValue(expirationReason?.rawValue),
            SQLValue(dueAt),
        ]
    }
}

extension OfferRecord {
    fileprivate static let columns = "\(AppliedOffer.columns), t.offer_amount, t.offer_remaining"

    fileprivate init?(ifPresentIn columns: inout Columns) throws {
        guard let offer = try AppliedOffer(ifPresentIn: &columns) else {
            columns.skip(2)
            return nil
        }
        self.init(offer: offer, amount: try columns.integer(), remaining: try columns.int())
    }

    fileprivate static func values(_ record: OfferRecord?) -> [SQLValue] {
        AppliedOffer.values(record?.offer) + [SQLValue(record?.amount), SQLValue(record?.remaining)]
    }
}
