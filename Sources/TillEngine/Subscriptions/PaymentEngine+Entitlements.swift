import FoundationEssentials
package import TillModel

/// What an account owns and is subscribed to, by the ledger alone: the provider is never asked.
extension PaymentEngine {
    /// Entitlements, and likewise subscriptions, in one page.
    package static let entitlementPageMaximum = 64
    /// Tokens of pages of subscriptions, which come after what was bought once, have this bit.
    private static let subscriptionTokens: Int64 = 1 << 62

    /// A page of what the account owns now: non-consumables and non-renewing subscriptions, then subscriptions in force;
    /// and the token of the next page, which may turn out empty.
    ///
    /// - Parameter token: What the page before returned; 0 for the first page.
    package func entitlements(in name: QueueName, token: UInt64, limit: Int) async throws(TillError) -> (
        page: [Entitlement], next: UInt64?
    ) {
        try Self.check(limit)
        let now = time.now().roundedToMilliseconds
        return try await read { ledger in
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
                return try self.subscribed(in: queue.key, afterKey: subscription, limit: limit, now, ledger)
            }
            let owned = try ledger.entitlements(in: queue.key, afterKey: key, limit: limit)
            let page = owned.filter { !$0.isFullyRevoked }.compactMap { $0.entitlement(identifiedBy: self.numbering) }
            let next = owned.count == limit ? owned.last.map { UInt64(bitPattern: $0.key) } : nil
            return (page, next ?? UInt64(bitPattern: Self.subscriptionTokens))
        }
    }

    /// A page of how all groups that the account was ever subscribed to stand, with their renewal information signed
    /// now, and the token of the next page.
    ///
    /// - Parameter token: What the page before returned; 0 for the first page.
    package func subscriptions(in name: QueueName, token: UInt64, limit: Int) async throws(TillError) -> (
        page: [SubscriptionStatus], next: UInt64?
    ) {
        try Self.check(limit)
        let now = time.now().roundedToMilliseconds
        let (found, facts) = try await read { ledger -> ([SubscriptionStatus], [RenewalFacts]) in
            let queue = try ledger.queue(name)
            let key = try ledger.key(ofToken: token) { try ledger.hasSubscription($0, in: queue) }
            guard let queue else {
                return ([], [])
            }
            let records = try ledger.subscriptions(in: queue.key, afterKey: key, limit: limit)
            let facts = try records.map { record in
                self.renewalFacts(record, latest: try ledger.transaction(key: record.latestKey), at: now)
            }
            return (try records.map { try self.status($0, at: now, ledger) }, facts)
        }
        var statuses = found
        for (index, renewal) in signedRenewals(facts).enumerated() {
            statuses[index].renewalInfo = renewal
        }
        let page = PageWeight.page(of: statuses) { $0.weight }
        let isLast = found.count < limit && page.count == found.count
        return (page, isLast || page.isEmpty ? nil : UInt64(bitPattern: facts[page.count - 1].subscription.key))
    }

    /// How the subscription stands, as applications see it.
    func status(_ record: SubscriptionRecord, at date: Date, _ ledger: any LedgerReader) throws -> SubscriptionStatus {
        let latest = try ledger.transaction(key: record.latestKey)
        let price = RenewalPrice(record, product: product(record.renewalProductID))
        return record.status(
            at: date,
            latestID: latest?.id ?? record.original.id,
            renewalPrice: Price(
                minorUnits: price?.amount ?? record.renewalAmount,
                currency: price?.currency ?? record.currency
            ),
            identifiedBy: numbering
        )
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
            var entitlement = latest.entitlement(identifiedBy: self.numbering)
            let status = try self.status(record, at: now, ledger)
            entitlement?.expirationDate = status.gracePeriodExpirationDate ?? record.periodEnd
            entitlement?.subscription = status
            return entitlement
        }
        let next =
            records.count == limit ? records.last.map { UInt64(bitPattern: Self.subscriptionTokens | $0.key) } : nil
        return (page, next)
    }

    /// The key of the subscription that a page ended with; 0 before the first, nil for a token of what was bought once.
    private static func subscriptionKey(ofToken token: Int64) -> Int64? {
        token & subscriptionTokens == 0 ? nil : token & ~subscriptionTokens
    }

    private static func check(_ limit: Int) throws(TillError) {
        guard (1...entitlementPageMaximum).contains(limit) else {
            throw TillError(.invalidArgument, "A page has 1 to \(entitlementPageMaximum) entries.")
        }
    }
}

extension TransactionRecord {
    /// Whether all of what it bought was taken back.
    var isFullyRevoked: Bool {
        revocation.map { $0.quantity >= payment.quantity } ?? false
    }

    /// What it entitles to, but for a subscription's end and status; nil unless it is purchased.
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
