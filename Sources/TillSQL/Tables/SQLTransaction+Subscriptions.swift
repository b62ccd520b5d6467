package import FoundationEssentials
package import TillEngine
import TillModel

extension SQLTransaction: SubscriptionReader {
    package func subscription(key: Int64) throws -> SubscriptionRecord? {
        try rows(of: SubscriptionRecord.self, "WHERE key = ?1", [SQLValue(key)]).first
    }

    package func subscription(toGroup groupID: String, in queue: Int64) throws -> SubscriptionRecord? {
        try rows(
            of: SubscriptionRecord.self,
            "WHERE queue = ?1 AND group_id = ?2",
            [SQLValue(queue), SQLValue(groupID)]
        ).first
    }

    package func subscriptions(in queue: Int64, afterKey key: Int64, limit: Int) throws -> [SubscriptionRecord] {
        try rows(
            of: SubscriptionRecord.self,
            "WHERE queue = ?1 AND key > ?2 ORDER BY key LIMIT ?3",
            [SQLValue(queue), SQLValue(key), SQLValue(limit: limit)]
        )
    }

    package func dueSubscriptions(at date: Date, limit: Int) throws -> [SubscriptionRecord] {
        try rows(
            of: SubscriptionRecord.self,
            "WHERE due_at <= ?1 ORDER BY due_at, key LIMIT ?2",
            [SQLValue(date), SQLValue(limit: limit)],
            skipsUnreadable: true
        )
    }

    /// Names the index, because SQLite would choose a worse one.
    package func subscriptionsAwaitingConsent(account: String?, afterKey key: Int64, limit: Int) throws
        -> [SubscriptionRecord]
    {
        try rows(
            of: SubscriptionRecord.self,
            """
            \(dialect.indexed(by: account == nil ? "consents" : "consents_in_queue"))
            WHERE price_consent = 1 AND key > ?2
                AND \(account == nil ? "CAST(?1 AS TEXT) IS NULL" : "queue IN (SELECT key FROM queues WHERE account = ?1)")
            ORDER BY key LIMIT ?3
            """,
            [SQLValue(account), SQLValue(key), SQLValue(limit: limit)]
        )
    }
}

extension SQLTransaction: SubscriptionWriter {
    package func insert(_ subscription: SubscriptionRecord) throws -> Int64 {
        try insertKeyedRow(subscription)
    }

    package func update(_ subscription: SubscriptionRecord) throws {
        try updateRow(subscription, orThrow: "The ledger has no subscription \(subscription.key).")
    }
}

extension SubscriptionRecord: TableRow {
    package static let table = Table<Self>("subscriptions", refersToTransactions: true, givesKeys: true)

    package init(_ coder: inout some ColumnCoder, _ value: Self?) throws {
        let key = try coder.integer("key", value?.key)
        let queue = try coder.integer("queue", value?.queue)
        let groupID = try coder.text("group_id", value?.groupID)
        let original = OriginalRecord(
            key: try coder.integer("original_key", value?.original.key),
            id: try coder.uuid("original_id", value?.original.id),
            purchasedAt: try coder.date("original_date", value?.original.purchasedAt)
        )
        coder.beginChanging()
        self.init(
            key: key,
            queue: queue,
            groupID: groupID,
            original: original,
            latestKey: try coder.integer("latest_key", value?.latestKey),
            productID: try coder.text("product_id", value?.productID),
            renewalProductID: try coder.text("renewal_product_id", value?.renewalProductID),
            state: try coder.choice("state", value?.state),
            periodStart: try coder.date("period_start", value?.periodStart),
            periodEnd: try coder.date("period_end", value?.periodEnd),
            recentStart: try coder.dateIfPresent("recent_start", value?.recentStart),
            willRenew: try coder.flag("will_renew", value?.willRenew),
            renewalAmount: try coder.integer("renewal_amount", value?.renewalAmount),
            currency: try coder.text("currency", value?.currency),
            offer: try OfferRecord.describe(&coder, value?.offer),
            hasUsedIntroductoryOffer: try coder.flag("has_used_introductory_offer", value?.hasUsedIntroductoryOffer),
            priceConsent: try coder.choice("price_consent", value?.priceConsent),
            announcedAmount: try coder.integerIfPresent("announced_amount", value?.announcedAmount),
            graceEnd: try coder.dateIfPresent("grace_end", value?.graceEnd),
            retryEnd: try coder.dateIfPresent("retry_end", value?.retryEnd),
            attempts: try coder.int("attempts", value?.attempts),
            expirationReason: try coder.choiceIfPresent("expiration_reason", value?.expirationReason),
            dueAt: try coder.dateIfPresent("due_at", value?.dueAt)
        )
    }
}

extension OfferRecord {
    fileprivate static func describe(_ coder: inout some ColumnCoder, _ value: Self?) throws -> Self? {
        let offer = try AppliedOffer.describe(&coder, value?.offer)
        let amount = try coder.integerIfPresent("offer_amount", value?.amount)
        let remaining = try coder.intIfPresent("offer_remaining", value?.remaining)
        return try offer.map { offer in
            OfferRecord(
                offer: offer,
                amount: try coder.required(amount, of: "offer_amount"),
                remaining: try coder.required(remaining, of: "offer_remaining")
            )
        }
    }
}
