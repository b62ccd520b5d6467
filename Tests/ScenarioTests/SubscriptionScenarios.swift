import Testing

/// A subscription from its trial to its end.
@Suite(.timeLimit(.minutes(10))) struct SubscriptionScenarios {
    @Test func aYearOfAMonthlySubscriptionPassesInSeconds() async throws {
        try await Shop.open { shop in
            let trial = try await shop.buy(Notes.monthly, "--username", "bob")
            #expect(trial.subscription?.offer == .init(type: "introductory", paymentMode: "free_trial"))
            #expect(try await shop.entitlements().map(\.transactionID) == [trial.id])
            #expect(try shop.record().isEmpty, "the trial was charged")
            for _ in 1...3 {
                try await renew(shop)
            }
            try await failAndRecover(shop) {
                try await shop.till("resolve", trial.id)
            }
            try await shop.daemon.kill()
            try await shop.daemon.start()
            try await renew(shop)
            try await failAndRecover(shop) {
                try await shop.till("settings", "reset", "billing-retry")
                // The store retries by itself, about a week after the failure.
                try await shop.advance("8d")
            }
            try await raiseThePrice(shop, of: trial.id)
            for _ in 7...12 {
                try await renew(shop)
            }
            try await end(shop, trial.id)
            try await expectPeriodsWithoutGaps(
                shop,
                prices: Array(repeating: 199, count: 6) + Array(repeating: 299, count: 6)
            )
        }
    }

    /// Advances to the next period, which is paid for.
    private func renew(_ shop: Shop) async throws {
        let before = try await shop.subscription()
        try await shop.advance(past: before.expirationDate)
        let after = try await shop.subscription()
        #expect(after.state == "subscribed")
        #expect(after.expirationDate > before.expirationDate)
        #expect(try await shop.entitlements().map(\.transactionID) == [after.latestID])
    }

    /// Advances to the next period, which is not paid for until `recovery`. The account stays subscribed during the
    /// grace period.
    private func failAndRecover(_ shop: Shop, _ recovery: () async throws -> Void) async throws {
        try await shop.set("billing-retry=true", "grace-period=true")
        let before = try await shop.subscription()
        let charges = try shop.record().count
        try await shop.advance(past: before.expirationDate)
        let unpaid = try await shop.subscription()
        #expect(unpaid.state == "in_grace_period")
        #expect(unpaid.expirationDate == before.expirationDate)
        let entitlement = try #require(try await shop.entitlements().first, "grace does not entitle")
        #expect(entitlement.transactionID == before.latestID)
        #expect(entitlement.expirationDate == unpaid.gracePeriodExpirationDate)
        #expect(try shop.record().count == charges)

        try await recovery()
        try await shop.until("the renewal is still unpaid") { try await shop.subscription().state == "subscribed" }
        let recovered = try await shop.subscription()
        #expect(recovered.expirationDate > before.expirationDate)
        #expect(try await shop.entitlements().map(\.transactionID) == [recovered.latestID])
        try await shop.till("settings", "reset")
    }

    private func raiseThePrice(_ shop: Shop, of id: String) async throws {
        try await shop.till("price-increase", "request", id, "--price", "2.99")
        #expect(try await shop.subscription().priceConsent == "pending")
        let request = try #require(try await shop.requests().first)
        #expect(request.kind == "price_consent")
        #expect(request.price == "2.99")
        try await shop.till("approve", request.id)
        let agreed = try await shop.subscription()
        #expect(agreed.priceConsent == "agreed")
        #expect(agreed.renewalPrice == "2.99")
    }

    private func end(_ shop: Shop, _ id: String) async throws {
        try await shop.till("auto-renew", "off", id)
        let last = try await shop.subscription()
        #expect(!last.willAutoRenew)
        #expect(try await shop.entitlements().count == 1, "the paid period does not last until its end")
        try await shop.advance(past: last.expirationDate)
        let expired = try await shop.subscription()
        #expect(expired.state == "expired")
        #expect(expired.expirationReason == "auto_renew_disabled")
        #expect(try await shop.entitlements().isEmpty)
        try await shop.advance("90d")
    }

    /// Expects one transaction for each period, and one charge for each period except the trial.
    private func expectPeriodsWithoutGaps(_ shop: Shop, prices: [Int]) async throws {
        let transactions = try await shop.transactions()
        #expect(transactions.allSatisfy { $0.state == "purchased" && $0.applicationUsername == "bob" })
        let terms = transactions.compactMap(\.subscription)
        #expect(terms.count == transactions.count)
        #expect(terms.map(\.isRenewal) == [false] + prices.map { _ in true })
        #expect(terms.dropFirst().map(\.startDate) == terms.dropLast().map(\.expirationDate), "periods have gaps")
        #expect(transactions.map(\.transactionDate) == terms.map(\.startDate))
        let original = transactions.first?.transactionIdentifier
        #expect(transactions.dropFirst().allSatisfy { $0.original?.transactionIdentifier == original })
        #expect(
            try shop.record().map(\.id) == transactions.dropFirst().map(\.id),
            "the periods are not charged once each"
        )
        #expect(try shop.record().map(\.amount) == prices)
    }
}
