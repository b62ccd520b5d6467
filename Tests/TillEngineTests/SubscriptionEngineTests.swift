import FoundationEssentials
import NIOConcurrencyHelpers
import Testing
@testable import TillEngine
import TillModel
import TillTesting

/// Subscriptions in the engine: bought, renewed, changed, unpaid, taken back.
@Suite(.timeLimit(.minutes(10))) struct SubscriptionEngineTests {
    private static func history(_ harness: EngineHarness) async throws -> [String] {
        let periods = try await harness.periods()
        return periods.map { $0.periodSummary(since: periods.first?.term?.start ?? .distantPast) }
    }

    @Test
    func aTrialIsRenewedAtTheFullPriceWithItsOriginalAndItsUsername() async throws {
        try await EngineHarness().run { harness in
            let first = try await harness.buy("silver", username: "ada")
            #expect(first.original == nil)
            #expect(first.subscription?.offer?.paymentMode == .freeTrial)
            try await harness.pass(days: 40)
            #expect(
                try await Self.history(harness) == [
                    "silver 0-7 freeTrial", "silver 7-38 renewal", "silver 38-66 renewal",
                ]
            )
            let numbering = harness.engine.numbering
            let renewal = try #require(try await harness.periods().last?.transaction(identifiedBy: numbering))
            #expect(renewal.state == .purchased)
            #expect(renewal.original?.id == first.id)
            #expect(renewal.payment.applicationUsername == "ada")
            #expect(renewal.purchase?.transactionDate == renewal.subscription?.startDate)
            let charges = try await harness.charges()
            #expect(charges.map(\.request.amount) == [499, 499])
            #expect(charges.map(\.state) == [.succeeded, .succeeded])
            #expect(renewal.id == charges.last?.request.paymentID)
            #expect(harness.provider.charges.count == 2)
        }
    }

    @Test
    func afterATrialTheDayOfTheMonthIsThatOfItsEnd() async throws {
        try await EngineHarness().run { harness in
            // From 24 to 31 January, and then to the last days of the months.
            harness.time.advance(by: 9 * 86400)
            _ = try await harness.buy("silver")
            try await harness.pass(days: 70)
            #expect(
                try await Self.history(harness) == [
                    "silver 0-7 freeTrial", "silver 7-35 renewal", "silver 35-66 renewal", "silver 66-96 renewal",
                ]
            )
        }
    }

    @Test
    func aYearIsRenewedPeriodByPeriodAsOfEachDate() async throws {
        try await EngineHarness().run { harness in
            _ = try await harness.buy("monthly")
            try await harness.pass(days: 366)
            let periods = try await harness.periods()
            #expect(periods.count == 13)
            for (earlier, later) in zip(periods, periods.dropFirst()) {
                #expect(earlier.term?.end == later.term?.start)
                #expect(later.createdAt == later.term?.start)
            }
        }
    }

    @Test
    func aPriceThatCannotBeChargedAnyMoreMakesNoRenewalFree() async throws {
        #expect(try await Self.amounts(of: "monthly", soldMeanwhileFor: "4.999", days: 32) == [299, 299])
    }

    @Test
    func thePriceAfterAnOfferIsTheOneThatWasAgreedTo() async throws {
        #expect(try await Self.amounts(of: "gold", soldMeanwhileFor: "99.99", days: 100) == [99, 99, 99, 999])
    }

    /// The charges for a subscription whose product has another price by the time its first payment is answered.
    private static func amounts(of product: String, soldMeanwhileFor price: String, days: Double) async throws
        -> [Int64]
    {
        let provider = GatedProvider(charges: Gate())
        let catalogue = TestCatalogue()
        let amounts = NIOLockedValueBox<[Int64]>([])
        try await EngineHarness(gated: provider, catalogue: catalogue).run { harness in
            let payment = Payment(productID: product)
            _ = try await harness.engine.addPayment(payment, to: EngineHarness.notes)
            await provider.charges.arrival()
            catalogue.setPrice(price, of: product)
            provider.charges.open()
            #expect(try await harness.final(payment.id).state == .purchased)
            try await harness.pass(days: days)
            let charges = try await harness.charges()
            amounts.withLockedValue { $0 = charges.map(\.request.amount) }
        }
        return amounts.withLockedValue { $0 }
    }

    @Test
    func aPaymentForAWithdrawnProductIsRefunded() async throws {
        let provider = GatedProvider(charges: Gate())
        let catalogue = TestCatalogue()
        try await EngineHarness(gated: provider, catalogue: catalogue).run { harness in
            let payment = Payment(productID: "monthly")
            _ = try await harness.engine.addPayment(payment, to: EngineHarness.notes)
            await provider.charges.arrival()
            catalogue.remove("monthly")
            provider.charges.open()
            let bought = try await harness.final(payment.id)
            #expect(bought.subscription == nil)
            await harness.engine.settleJobs()
            #expect(provider.scripted.refunds.values.map(\.amount) == [299])
            let record = try #require(try await harness.ledger.read { try $0.transaction(payment.id) })
            #expect(record.state == .purchased && record.revocation?.quantity == 1)
            #expect(try await harness.entitlements().isEmpty)
        }
    }

    @Test
    func anUpgradeIsImmediateAndGivesTheRestBack() async throws {
        try await EngineHarness().run { harness in
            _ = try await harness.buy("silver")
            try await harness.pass(days: 7)
            _ = try await harness.pass(days: 15.5)
            let gold = try await harness.buy("gold")
            #expect(gold.subscription?.isRenewal == false)
            let history = try await Self.history(harness)
            #expect(history == ["silver 0-7 freeTrial", "silver 7-38 renewal upgraded", "gold 23-51"])
            let old = try await harness.periods()[1]
            let refunds = try await harness.ledger.read { try $0.refunds(ofTransaction: old.key) }
            #expect(refunds.map(\.amount) == [249])
            #expect(refunds.map(\.quantity) == [0])
            let entitlements = try await harness.entitlements()
            #expect(entitlements.map(\.productID) == ["gold"])
        }
    }

    @Test
    func aDowngradeIsPurchasedFreeAndComesWithTheRenewal() async throws {
        try await EngineHarness().run { harness in
            let gold = try await harness.buy("gold")
            let bronze = try await harness.buy("bronze")
            #expect(bronze.state == .purchased && bronze.subscription == nil)
            #expect(bronze.original?.id == gold.id)
            #expect(try await harness.subscriptions().map(\.renewalProductID) == ["bronze"])
            #expect(try await harness.entitlements().map(\.productID) == ["gold"])
            try await harness.pass(days: 32)
            #expect(try await Self.history(harness) == ["gold 0-31 payAsYouGo", "bronze 31-396 renewal"])
            #expect(try await harness.charges().map(\.request.amount) == [99, 1999])
        }
    }

    @Test
    func anUnpaidRenewalIsTriedAgainAndNeverAFailedTransaction() async throws {
        try await EngineHarness().run { harness in
            _ = try await harness.buy("monthly")
            harness.provider.script("monthly", [.decline, .decline])
            try await harness.pass(days: 32)
            #expect(try await harness.subscriptions().map(\.state) == [.inBillingRetryPeriod])
            #expect(try await harness.entitlements().isEmpty)
            try await harness.pass(days: 15)
            #expect(try await Self.history(harness) == ["monthly 0-31", "monthly 44-72 renewal"])
            #expect(try await harness.subscriptions().map(\.state) == [.subscribed])
            #expect(try await harness.charges().map(\.state) == [.succeeded, .declined, .declined, .succeeded])
        }
    }

    @Test
    func recoveryDuringGraceLeavesNoGap() async throws {
        try await EngineHarness().run { harness in
            harness.changeStore { settings in
                settings.failsRenewals = true
                settings.hasGracePeriod = true
            }
            _ = try await harness.buy("monthly")
            try await harness.pass(days: 32)
            let status = try await harness.subscriptions().first
            #expect(status?.state == .inGracePeriod)
            #expect(status?.gracePeriodExpirationDate == status?.expirationDate.addingTimeInterval(16 * 86400))
            let entitlement = try await harness.entitlements().first
            #expect(entitlement?.expirationDate == status?.gracePeriodExpirationDate)
            harness.changeStore { $0.failsRenewals = false }
            try await harness.pass(days: 10)
            #expect(try await Self.history(harness) == ["monthly 0-31", "monthly 31-59 renewal"])
            #expect(harness.provider.charges.count == 2)
        }
    }

    @Test
    func anUnpaidRenewalExpiresAfterSixtyDays() async throws {
        try await EngineHarness().run { harness in
            harness.changeStore { $0.failsRenewals = true }
            _ = try await harness.buy("monthly")
            try await harness.pass(days: 90.9)
            #expect(try await harness.subscriptions().map(\.state) == [.inBillingRetryPeriod])
            try await harness.pass(days: 0.2)
            let status = try await harness.subscriptions().first
            #expect(status?.state == .expired && status?.expirationReason == .billingError)
            harness.changeStore { $0.failsRenewals = false }
            let again = try await harness.buy("monthly")
            #expect(again.original?.id == status?.originalID)
            #expect(try await Self.history(harness) == ["monthly 0-31", "monthly 91-121"])
        }
    }

    @Test
    func anUnknownRenewalIsNotTriedAgainBeforeItsReview() async throws {
        let outcomes: [ReviewOutcome] = [.charged(reference: "ref"), .notCharged]
        for outcome in outcomes {
            try await EngineHarness().run { harness in
                let first = try await harness.buy("monthly")
                harness.provider.setReachable(false)
                harness.time.advance(by: 31 * 86400)
                while try await harness.charges().last?.state != .needsReview {
                    harness.time.advance(by: 600)
                    try await Task.yieldUnlessCancelled()
                }
                try await harness.pass(days: 20)
                #expect(try await harness.charges().count == 2)
                harness.provider.setReachable(true)
                let key = try #require(try await harness.periods().first?.term?.subscription)
                let identity = OperatorIdentity(uid: 0, reason: "test")
                await expect(.failedPrecondition) {
                    try await harness.engine.resolveBilling(ofSubscription: key, by: identity)
                }
                try await harness.engine.resolveBilling(ofSubscription: key, review: outcome, by: identity)
                if outcome == .notCharged {
                    try await harness.pass(days: 7)
                }
                let status = try await harness.subscriptions().first
                #expect(status?.state == .subscribed && status?.originalID == first.id)
                #expect(try await harness.periods().count == 2)
            }
        }
    }

    @Test
    func onePaymentOfAGroupIsChargedAtATime() async throws {
        try await EngineHarness().run { harness in
            async let gold = harness.buy("gold")
            async let silver = harness.buy("silver")
            async let again = harness.buy("gold")
            _ = try await (gold, silver, again)
            let periods = try await harness.periods()
            let inForce = periods.filter { $0.term?.isUpgraded == false }
            #expect(inForce.map(\.payment.productID) == ["gold"])
            #expect(try await harness.entitlements().map(\.productID) == ["gold"])
        }
    }

    @Test
    func anOfferThatIsUsedUpInBetweenIsNotGiven() async throws {
        let provider = GatedProvider(charges: Gate())
        try await EngineHarness(gated: provider).run { harness in
            let payments = ["silver.plus", "gold"].map { Payment(productID: $0) }
            for payment in payments {
                _ = try await harness.engine.addPayment(payment, to: EngineHarness.notes)
            }
            provider.charges.open()
            let gold = try await harness.final(payments[1].id)
            #expect(gold.state == .purchased && gold.subscription?.offer == nil)
            #expect(try await harness.charges().map(\.request.amount) == [599, 999])
        }
    }

    @Test
    func aRefundOfTheLastPeriodEndsTheSubscriptionAndOneOfAnOlderPeriodDoesNot() async throws {
        try await EngineHarness().run { harness in
            _ = try await harness.buy("monthly")
            try await harness.pass(days: 40)
            let periods = try await harness.periods()
            for (period, state) in zip(periods, [SubscriptionState.subscribed, .revoked]) {
                try await harness.engine.commit { context in
                    .success(try context.revokeSubscription(of: period))
                }
                #expect(try await harness.subscriptions().map(\.state) == [state])
            }
            try await harness.pass(days: 100)
            #expect(try await harness.periods().count == 2)
            #expect(try await harness.entitlements().isEmpty)
        }
    }

    @Test
    func entitlementsComePageByPage() async throws {
        try await EngineHarness().run { harness in
            for product in ["pro", "themes", "season", "coins", "monthly", "silver"] {
                _ = try await harness.buy(product)
            }
            let all = ["pro", "themes", "season", "monthly", "silver"]
            for limit in [1, 2, 3, 64] {
                #expect(try await harness.entitlements(limit: limit).map(\.productID) == all)
            }
            #expect(
                try await harness.entitlements().map { $0.subscription != nil } == [false, false, false, true, true]
            )
            await expect(.invalidArgument) {
                _ = try await harness.engine.entitlements(in: EngineHarness.notes, token: 0, limit: 65)
            }
            for token in [UInt64.max, 1 << 63, 1 << 62 | 1 << 61] as [UInt64] {
                await expect(.invalidArgument) {
                    _ = try await harness.engine.entitlements(in: EngineHarness.notes, token: token, limit: 1)
                }
                await expect(.invalidArgument) {
                    _ = try await harness.engine.subscriptions(in: EngineHarness.notes, token: token, limit: 1)
                }
            }
            let nobody = QueueName(application: "org.example.none", account: "uid:1")
            #expect(try await harness.engine.entitlements(in: nobody, token: 0, limit: 1).page.isEmpty)
        }
    }

    @Test
    func aPeriodThatIsOverAndNotRenewedIsNotInForce() async throws {
        try await EngineHarness().run { harness in
            _ = try await harness.buy("monthly")
            harness.provider.setReachable(false)
            harness.time.advance(by: 31 * 86400)
            #expect(try await harness.entitlements().isEmpty)
            #expect(try await harness.subscriptions().map(\.state) == [.inBillingRetryPeriod])
        }
    }
}
