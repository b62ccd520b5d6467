import FoundationEssentials
import TillModel

/// Reads what an account owns and is subscribed to from the ledger alone: the provider is never asked.
struct Entitlements: Sendable {
    /// Tokens of pages of subscriptions, which come after one-time purchases, have this bit.
    private static let subscriptionTokens: Int64 = 1 << 62

    let subscriptions: Subscriptions
    let numbering: LedgerNumbering

    /// A page of what the account owns now: non-consumables and non-renewing subscriptions, then subscriptions in
    /// force; and the token of the next page, which may be empty.
    func owned(in name: QueueName, token: UInt64, limit: Int, at now: Date, _ ledger: any LedgerReader) throws -> (
        page: [Entitlement], next: UInt64?
    ) {
        let queue = try ledger.queue(name)
        let key = try ledger.key(ofToken: token) { key in
            guard let subscription = Self.subscriptionKey(ofToken: key) else {
                return try ledger.hasTransaction(key, in: queue)
            }
            return try subscription == 0 ? queue != nil : ledger.hasSubscription(subscription, in: queue)
        }
        guard let queue else {
            return ([], nil)
        }
        if let subscription = Self.subscriptionKey(ofToken: key) {
            return try subscribed(in: queue.key, afterKey: subscription, limit: limit, now, ledger)
        }
        let owned = try ledger.entitlements(in: queue.key, afterKey: key, limit: limit)
        let page = owned.filter { !$0.isFullyRevoked }.compactMap { $0.entitlement(identifiedBy: numbering) }
        let next = owned.count == limit ? owned.last.map { UInt64(bitPattern: $0.key) } : nil
        return (page, next ?? UInt64(bitPattern: Self.subscriptionTokens))
    }

    /// The status of subscriptions that the account has or had, with the facts of their renewal information.
    func statuses(in name: QueueName, token: UInt64, limit: Int, at now: Date, _ ledger: any LedgerReader) throws -> (
        [SubscriptionStatus], [RenewalFacts]
    ) {
        let queue = try ledger.queue(name)
        let key = try ledger.key(ofToken: token) { try ledger.hasSubscription($0, in: queue) }
        guard let queue else {
            return ([], [])
        }
        let records = try ledger.subscriptions(in: queue.key, afterKey: key, limit: limit)
        let facts = try records.map { record in
            subscriptions.receipts.renewalFacts(record, latest: try ledger.transaction(key: record.latestKey), at: now)
        }
        return (try records.map { try subscriptions.status($0, at: now, ledger) }, facts)
    }

    private func subscribed(
        in queue: Int64,
        afterKey key: Int64,
        limit: Int,
        _ now: Date,
        _ ledger: any LedgerReader
    ) throws -> (page: [Entitlement], next: UInt64?) {
        let records = try ledger.subscriptions(in: queue, afterKey: key, limit: limit)
        let page = try records.filter { $0.isInForce(at: now) }.compactMap { record -> Entitlement? in
            guard let latest = try ledger.transaction(key: record.latestKey) else {
                return nil
            }
            var entitlement = latest.entitlement(identifiedBy: numbering)
            let status = try subscriptions.status(record, at: now, ledger)
            entitlement?.expirationDate = status.gracePeriodExpirationDate ?? record.periodEnd
            entitlement?.subscription = status
            return entitlement
        }
        let next =
            records.count == limit ? records.last.map { UInt64(bitPattern: Self.subscriptionTokens | $0.key) } : nil
        return (page, next)
    }

    /// The key of the subscription that a page ended with; 0 before the first, nil for a token of one-time purchases.
    private static func subscriptionKey(ofToken token: Int64) -> Int64? {
        token & subscriptionTokens == 0 ? nil : token & ~subscriptionTokens
    }
}

extension TransactionRecord {
    /// Whether all of its quantity was revoked.
    var isFullyRevoked: Bool {
        revocation.map { $0.quantity >= payment.quantity } ?? false
    }

    /// Its entitlement, without a subscription's end and status; nil unless it is purchased.
    fileprivate func entitlement(identifiedBy numbering: LedgerNumbering) -> Entitlement? {
        guard let productType, let purchase = transaction(identifiedBy: numbering).purchase else {
            return nil
        }
        return Entitlement(
            productID: payment.productID,
            productType: productType,
            transactionID: id,
            transactionIdentifier: purchase.transactionIdentifier,
            purchaseDate: purchase.transactionDate
        )
    }
}
