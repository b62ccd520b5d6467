import FoundationEssentials
import Testing
@testable import TillEngine
import TillModel
import TillTesting

/// What operators do to subscriptions.
@Suite struct SubscriptionOperationTests {
    private static let identity = OperatorIdentity(uid: 0, reason: "test")

    @Test
    func expiringEndsThePeriodNow() async throws {
        try await EngineHarness().run { harness in
            let bought = try await harness.buy("monthly")
            try await harness.pass(days: 3)
            let status = try await harness.engine.expireSubscription(bought.id, by: Self.identity)
            #expect(status.state == .expired && status.expirationReason == .autoRenewDisabled)
            #expect(status.expirationDate == harness.time.now())
            #expect(try await harness.periods().map { $0.term?.end } == [harness.time.now()])
            #expect(try await harness.entitlements().isEmpty)
            await expect(.failedPrecondition) {
                _ = try await harness.engine.expireSubscription(bought.id, by: Self.identity)
            }
            await expect(.failedPrecondition) {
                _ = try await harness.engine.renewSubscription(bought.id, by: Self.identity)
            }
            try await harness.pass(days: 100)
            #expect(harness.provider.charges.count == 1)
        }
    }

    @Test
    func renewingBeginsTheNextPeriodNow() async throws {
        try await EngineHarness().run { harness in
            let bought = try await harness.buy("monthly")
            _ = try await harness.engine.setAutoRenew(bought.id, to: false, by: Self.identity)
            _ = try await harness.engine.requestPriceConsent(bought.id, amount: 5, by: Self.identity)
            try await harness.pass(days: 3)
            let now = harness.time.now()
            let renewed = try await harness.engine.renewSubscription(bought.id, by: Self.identity)
            #expect(renewed.state == .subscribed, "the answer waits for the provider's")
            let periods = try await harness.periods()
            #expect(periods.map { $0.term?.start } == [periods.first?.createdAt, now])
            #expect(periods.first?.term?.end == now)
            let status = try await harness.subscriptions().first
            #expect(status?.willAutoRenew == true && status?.priceConsent == PriceConsent.none)
            #expect(try await harness.charges().map(\.request.amount) == [299, 299])
        }
    }

    @Test
    func withoutAutoRenewalItExpiresAtTheEnd() async throws {
        try await EngineHarness().run { harness in
            let bought = try await harness.buy("monthly")
            _ = try await harness.engine.setAutoRenew(bought.id, to: false, by: Self.identity)
            try await harness.pass(days: 30)
            #expect(try await harness.subscriptions().map(\.state) == [.subscribed])
            try await harness.pass(days: 2)
            let status = try await harness.subscriptions().first
            #expect(status?.state == .expired && status?.expirationReason == .autoRenewDisabled)
            #expect(harness.provider.charges.count == 1)
        }
    }

    @Test
    func aSubscriptionCancelledInGraceExpiresWithIt() async throws {
        try await EngineHarness().run { harness in
            harness.changeStore { settings in
                settings.failsRenewals = true
                settings.hasGracePeriod = true
            }
            let bought = try await harness.buy("monthly")
            try await harness.pass(days: 32)
            _ = try await harness.engine.setAutoRenew(bought.id, to: false, by: Self.identity)
            #expect(try await harness.subscriptions().map(\.state) == [.inGracePeriod])
            try await harness.pass(days: 16)
            let status = try await harness.subscriptions().first
            #expect(status?.state == .expired && status?.expirationReason == .autoRenewDisabled)
        }
    }

    @Test(
        arguments: [(true, 599, .subscribed), (false, 299, .expired), (nil, 299, .expired)]
            as [(Bool?, Int64, SubscriptionState)]
    )
    func aHigherPriceNeedsConsent(agrees: Bool?, renewal: Int64, state: SubscriptionState) async throws {
        try await EngineHarness().run { harness in
            let bought = try await harness.buy("monthly")
            let asked = try await harness.engine.requestPriceConsent(
                bought.id,
                amount: Decimal(sign: .plus, exponent: -2, significand: 599),
                by: Self.identity
            )
            #expect(asked.priceConsent == .pending)
            if let agrees {
                let answered = try await harness.engine.answerPriceConsent(bought.id, agrees: agrees, by: Self.identity)
                #expect(answered.priceConsent == (agrees ? .agreed : .declined))
                #expect(answered.renewalPrice == Price(minorUnits: renewal, currency: "USD"))
            }
            try await harness.pass(days: 32)
            let status = try await harness.subscriptions().first
            #expect(status?.state == state)
            #expect(status?.expirationReason == (state == .expired ? .didNotConsentToPriceIncrease : nil))
            #expect(try await harness.charges().map(\.request.amount) == (agrees == true ? [299, 599] : [299]))
        }
    }

    /// The price was raised again while the person looked at the question.
    @Test func agreeingToAPriceIsNotAgreeingToALaterOne() async throws {
        try await EngineHarness().run { harness in
            let bought = try await harness.buy("monthly")
            let approver = Approver(uid: 501, account: EngineHarness.notes.account, approvesForOthers: false)
            let prices = [599, 999].map { Price(minorUnits: $0, currency: "USD") }
            for price in prices {
                _ = try await harness.engine.requestPriceConsent(bought.id, amount: price.amount, by: Self.identity)
            }
            let agree = { (price: Price?) in
                try await harness.engine.answer(
                    bought.id,
                    kind: .priceConsent,
                    approves: true,
                    price: price,
                    reason: "",
                    by: approver
                )
            }
            await expect(.failedPrecondition) { try await agree(prices[0]) }
            await expect(.invalidArgument) { try await agree(nil) }
            #expect(try await harness.subscriptions().first?.priceConsent == .pending)
            try await agree(prices[1])
            #expect(try await harness.subscriptions().first?.renewalPrice == prices[1])
        }
    }

    @Test
    func consentIsAskedForToTheCataloguesPriceIfThatIsHigher() async throws {
        let catalogue = TestCatalogue()
        try await EngineHarness(catalogue: catalogue).run { harness in
            let bought = try await harness.buy("monthly")
            await expect(.failedPrecondition) {
                _ = try await harness.engine.requestPriceConsent(bought.id, amount: nil, by: Self.identity)
            }
            await expect(.failedPrecondition) {
                _ = try await harness.engine.answerPriceConsent(bought.id, agrees: true, by: Self.identity)
            }
            await expect(.invalidArgument) {
                let amount = Decimal(sign: .plus, exponent: -3, significand: 5999)
                _ = try await harness.engine.requestPriceConsent(bought.id, amount: amount, by: Self.identity)
            }
            catalogue.setPrice("3.99", of: "monthly")
            _ = try await harness.engine.requestPriceConsent(bought.id, amount: nil, by: Self.identity)
            let status = try await harness.engine.answerPriceConsent(bought.id, agrees: true, by: Self.identity)
            #expect(status.renewalPrice == Price(minorUnits: 399, currency: "USD"))
        }
    }

    @Test
    func resolvingTriesTheRenewalNowEvenIfTheStoreFailsRenewals() async throws {
        try await EngineHarness().run { harness in
            let bought = try await harness.buy("monthly")
            let key = try #require(try await harness.periods().first?.term?.subscription)
            await expect(.failedPrecondition) {
                try await harness.engine.resolveBilling(ofSubscription: key, by: Self.identity)
            }
            harness.changeStore { $0.failsRenewals = true }
            try await harness.pass(days: 33)
            let now = harness.time.now()
            _ = try await harness.engine.resolve(bought.id, review: nil, by: Self.identity)
            try await harness.settle()
            #expect(try await harness.subscriptions().map(\.state) == [.subscribed])
            #expect(try await harness.periods().last?.term?.start == now)
        }
    }

    @Test
    func aProductThatIsGoneExpiresWithTheReason() async throws {
        let catalogue = TestCatalogue()
        try await EngineHarness(catalogue: catalogue).run { harness in
            _ = try await harness.buy("monthly")
            catalogue.remove("monthly")
            try await harness.pass(days: 32)
            let status = try await harness.subscriptions().first
            #expect(status?.state == .expired && status?.expirationReason == .productUnavailable)
        }
    }

    @Test
    func aTransactionWithoutASubscriptionIsNotFound() async throws {
        try await EngineHarness().run { harness in
            let coins = try await harness.buy("coins")
            for id in [coins.id, UUID()] {
                await expect(.notFound) { _ = try await harness.engine.expireSubscription(id, by: Self.identity) }
            }
        }
    }
}
