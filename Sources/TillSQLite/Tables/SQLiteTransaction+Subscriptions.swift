import FoundationEssentials
import TillEngine
import TillModel

extension SQLiteTransaction: SubscriptionReader {
    func subscription(key: Int64) throws -> SubscriptionRecord? {
        try subscriptions("WHERE t.key = ?1", [SQLValue(key)]).first
    }

    func subscription(toGroup groupID: String, in queue: Int64) throws -> SubscriptionRecord? {
        try subscriptions("WHERE t.queue = ?1 AND t.group_id = ?2", [SQLValue(queue), SQLValue(groupID)]).first
    }

    func subscriptions(in queue: Int64, afterKey key: Int64, limit: Int) throws -> [SubscriptionRecord] {
        try subscriptions(
            "WHERE t.queue = ?1 AND t.key > ?2 ORDER BY t.key LIMIT ?3",
            [SQLValue(queue), SQLValue(key), SQLValue(limit: limit)]
        )
    }

    func dueSubscriptions(at date: Date, limit: Int) throws -> [SubscriptionRecord] {
        try subscriptions(
            "WHERE t.due_at <= ?1 ORDER BY t.due_at, t.key LIMIT ?2",
            [SQLValue(date), SQLValue(limit: limit)],
            skipsUnreadable: true
        )
    }

    func subscriptionsAwaitingConsent(account: String?, afterKey key: Int64, limit: Int) throws
        -> [SubscriptionRecord]
    {
        try subscriptions(
            """
            WHERE t.price_consent = 1 AND t.key > ?2
                AND \(account == nil ? "?1 IS NULL" : "t.queue IN (SELECT key FROM queues WHERE account = ?1)")
            ORDER BY t.key LIMIT ?3
            """,
            [SQLValue(account), SQLValue(key), SQLValue(limit: limit)],
            by: account == nil ? "consents" : "consents_in_queue"
        )
    }

    /// - Parameter index: The index to read by, where SQLite would choose a worse one.
    private func subscriptions(
        _ condition: String,
        _ values: [SQLValue],
        by index: String? = nil,
        skipsUnreadable: Bool = false
    ) throws -> [SubscriptionRecord] {
        let source = index.map { "subscriptions t INDEXED BY \($0)" } ?? "subscriptions t"
        let sql = "\(SubscriptionRecord.selection(from: source)) \(condition)"
        return try rows(
            of: "subscriptions",
            sql,
            values,
            skipsUnreadable: skipsUnreadable,
            read: SubscriptionRecord.init
        )
    }
}

extension SQLiteTransaction: SubscriptionWriter {
    func insert(_ subscription: SubscriptionRecord) throws -> Int64 {
        try insert(
            """
            INSERT INTO subscriptions (queue, group_id, original_key, original_id, original_date, latest_key, product_id,
                renewal_product_id, state, period_start, period_end, recent_start, will_renew, renewal_amount, currency,
                offer_type, offer_id, offer_mode, offer_amount, offer_remaining, has_used_introductory_offer,
                price_consent, announced_amount, grace_end, retry_end, attempts, expiration_reason, due_at)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22,
                ?23, ?24, ?25, ?26, ?27, ?28)
            """,
            subscription.fixedValues + subscription.changingValues
        )
    }

    func update(_ subscription: SubscriptionRecord) throws {
        try writeTransactions()
        try change(
            """
            UPDATE subscriptions SET latest_key = ?1, product_id = ?2, renewal_product_id = ?3, state = ?4,
                period_start = ?5, period_end = ?6, recent_start = ?7, will_renew = ?8, renewal_amount = ?9,
                currency = ?10, offer_type = ?11, offer_id = ?12, offer_mode = ?13, offer_amount = ?14,
                offer_remaining = ?15, has_used_introductory_offer = ?16, price_consent = ?17, announced_amount = ?18,
                grace_end = ?19, retry_end = ?20, attempts = ?21, expiration_reason = ?22, due_at = ?23
            WHERE key = ?24
            """,
            subscription.changingValues + [SQLValue(subscription.key)],
            orThrow: "The ledger has no subscription \(subscription.key)."
        )
    }
}

extension SubscriptionRecord {
    /// - Parameter source: The table as `t`, with the index where SQLite would choose a worse one.
    static func selection(from source: String = "subscriptions t") -> String {
        """
        SELECT t.key, t.queue, t.group_id, t.original_key, t.original_id, t.original_date, t.latest_key,
            t.product_id, t.renewal_product_id, t.state, t.period_start, t.period_end, t.recent_start, t.will_renew,
            t.renewal_amount, t.currency, \(OfferRecord.columns), t.has_used_introductory_offer, t.price_consent,
            t.announced_amount, t.grace_end, t.retry_end, t.attempts, t.expiration_reason, t.due_at
        FROM \(source)
        """
    }

    init(_ columns: inout Columns) throws {
        self.init(
            key: try columns.integer(),
            queue: try columns.integer(),
            groupID: try columns.text(),
            original: OriginalRecord(
                key: try columns.integer(),
                id: try columns.uuid(),
                purchasedAt: try columns.date()
            ),
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
        [
            SQLValue(queue), SQLValue(groupID), SQLValue(original.key), SQLValue(original.id),
            SQLValue(original.purchasedAt),
        ]
    }

    /// The values of the columns from `latest_key` on. All of them may change.
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
