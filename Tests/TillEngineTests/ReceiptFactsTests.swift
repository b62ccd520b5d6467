import FoundationEssentials
import Testing
import TillMemoryLedger
import TillModel
import TillTesting

@testable import TillEngine

@Suite("What receipts say, whenever they are signed", .timeLimit(.minutes(10)))
struct ReceiptFactsTests {
    private static let by = OperatorIdentity(uid: 501, reason: "asked by phone")
    private static let parent = ApprovalTests.parent
    private static let free = ReceiptFacts.Paid(amount: 0, currency: "USD")

    /// A store, its engine and what its receipts say.
    private struct Store {
        let harness: EngineHarness
        let signer: FactsSigner

        func facts(_ id: UUID) async throws -> ReceiptFacts {
            try #require(signer.facts(of: try await harness.record(id)?.receipt))
        }

        /// Signs the transaction again.
        func rebuilt(_ id: UUID) async throws -> ReceiptFacts {
            _ = try await harness.engine.rebuildReceipt(of: id, by: ReceiptFactsTests.by)
            return try await facts(id)
        }

        func refunded(_ id: UUID, quantity: Int = 0, keepsMoney: Bool = false) async throws -> ReceiptFacts {
            let order = RefundOrder(transactionID: id, quantity: quantity, keepsMoney: keepsMoney)
            _ = try await harness.engine.refund(order, by: ReceiptFactsTests.by)
            return try await facts(id)
        }
    }

    private func withStore(
        ledger: any Ledger = MemoryLedger(),
        gated: GatedProvider? = nil,
        catalogue: TestCatalogue = TestCatalogue(),
        _ body: @escaping @Sendable (Store) async throws -> Void
    ) async throws {
        let signer = FactsSigner()
        try await EngineHarness(ledger: ledger, gated: gated, catalogue: catalogue, receipts: signer).run { harness in
            try await body(Store(harness: harness, signer: signer))
        }
    }

    // A downgrade, a crossgrade to another duration, and a purchase of the subscribed product.
    @Test(arguments: [("gold", "silver"), ("silver", "silver.yearly"), ("monthly", "monthly")])
    func purchaseThatPaysForNoPeriodNamesTheRunningOne(subscribed: String, bought: String) async throws {
        try await withStore { store in
            let first = try await store.harness.buy(subscribed)
            store.harness.time.advance(by: 86_400)
            let second = try await store.harness.buy(bought)
            let running = try await store.facts(first.id)
            let facts = try await store.facts(second.id)
            #expect(facts.period != nil)
            #expect(facts.period == running.period)
            #expect(facts.period?.end == first.subscription?.expirationDate)
            #expect(facts.period?.lineItem == running.transaction.key)
            #expect(facts.paid == Self.free)
            #expect(facts.transaction.asOriginal == running.transaction.asOriginal)
            #expect(facts.transaction.offer == nil)
            #expect(facts.transaction.purchaseDate == store.harness.time.now())
        }
    }

    @Test func downgradeKeepsItsPeriodOnceTheNextOneRuns() async throws {
        try await withStore { store in
            let gold = try await store.harness.buy("gold")
            let silver = try await store.harness.buy("silver")
            let before = try await store.facts(silver.id)
            try await store.harness.pass(days: 40)
            let after = try await store.rebuilt(silver.id)
            #expect(try await store.harness.periods().last?.payment.productID == "silver")
            #expect(after.period == before.period)
            #expect(after.period?.end == gold.subscription?.expirationDate)
        }
    }

    @Test func revokedPeriodTakesTheDowngradeDuringItWithIt() async throws {
        try await withStore { store in
            let gold = try await store.harness.buy("gold")
            let silver = try await store.harness.buy("silver")
            _ = try await store.refunded(gold.id)
            let facts = try await store.facts(silver.id)
            #expect(facts.transaction.revocation?.quantity == 1)
            #expect(facts.refund == .whole)
        }
    }

    @Test func subscriptionWhoseProductIsGoneEndsAsItBegins() async throws {
        let provider = GatedProvider(charges: Gate())
        let catalogue = TestCatalogue()
        try await withStore(gated: provider, catalogue: catalogue) { store in
            let payment = Payment(productID: "monthly")
            _ = try await store.harness.engine.addPayment(payment, to: EngineHarness.notes)
            await provider.charges.arrival()
            catalogue.remove("monthly")
            provider.charges.open()
            let bought = try await store.harness.final(payment.id)
            let facts = try await store.facts(bought.id)
            #expect(facts.period?.groupID == "magazine")
            #expect(facts.period?.end == bought.purchase?.transactionDate)
            #expect(facts.period?.lineItem == facts.transaction.key)
        }
    }

    @Test func everySignatureOfATrialNamesItsPrice() async throws {
        try await withStore { store in
            let trial = try await store.harness.buy("silver")
            #expect(try await store.facts(trial.id).paid == Self.free)
            #expect(try await store.rebuilt(trial.id).paid == Self.free)
            _ = try await store.harness.engine.finishTransaction(trial.id, in: EngineHarness.notes)
            let copy = try #require(try await store.harness.restore().compactMap(\.transaction).last)
            #expect(try await store.facts(copy.id).paid == Self.free)
            #expect(try await store.rebuilt(copy.id).paid == Self.free)
            _ = try await store.harness.buy("gold")
            let upgraded = try await store.facts(trial.id)
            #expect(upgraded.period?.isUpgraded == true)
            #expect(upgraded.paid == Self.free)
            let refunded = try await store.refunded(trial.id)
            #expect(refunded.paid == Self.free)
            #expect(refunded.refund == .whole)
        }
    }

    @Test func restoredRenewalIsSignedAgainWithItsOwnPriceAndLineItem() async throws {
        try await withStore { store in
            _ = try await store.harness.own("silver")
            try await store.harness.pass(days: 8)
            let renewal = try #require(try await store.harness.periods().last)
            _ = try await store.harness.engine.finishTransaction(renewal.id, in: EngineHarness.notes)
            let copy = try #require(try await store.harness.restore().compactMap(\.transaction).last)
            let facts = try await store.rebuilt(copy.id)
            #expect(facts.paid == ReceiptFacts.Paid(amount: 499, currency: "USD"))
            #expect(facts.period?.lineItem == renewal.key)
        }
    }

    @Test func ownedProductIsSignedAsFreeOfCharge() async throws {
        try await withStore { store in
            _ = try await store.harness.buy("pro")
            let again = try await store.harness.buy("pro")
            #expect(try await store.facts(again.id).paid == Self.free)
            #expect(try await store.facts(again.id).period == nil)
        }
    }

    @Test func receiptKeepsTheStorefrontOfItsPurchase() async throws {
        try await withStore { store in
            let pro = try await store.harness.own("pro")
            let monthly = try await store.harness.buy("monthly")
            store.harness.changeStore { $0.storefront = "DEU" }
            #expect(try await store.rebuilt(pro.id).storefront.countryCode == "USA")
            let copy = try #require(try await store.harness.restore().compactMap(\.transaction).last)
            #expect(try await store.facts(copy.id).storefront.countryCode == "USA")
            #expect(try await store.refunded(pro.id).storefront.identifier == "143441")
            try await store.harness.pass(days: 40)
            let renewal = try #require(try await store.harness.periods().last)
            #expect(renewal.original?.id == monthly.id)
            #expect(try await store.facts(renewal.id).storefront.countryCode == "USA")
            let coins = try await store.harness.buy("coins")
            #expect(try await store.facts(coins.id).storefront.countryCode == "DEU")
        }
    }

    @Test func receiptOfAnOlderTillKeepsTheStorefrontThatItNames() async throws {
        let ledger = MemoryLedger()
        try await withStore(ledger: ledger) { store in
            let pro = try await store.harness.own("pro")
            try await ledger.commit { ledger in
                var record = try #require(try ledger.transaction(pro.id))
                record.sale?.storefront = nil
                let payload = Base64URL.encode(Array(#"{"price":1,"storefront":"FRA","storefrontId":"143442"}"#.utf8))
                record.receipt = SignedReceipt(header: "header", body: "\(payload).signature")
                try ledger.update(record)
            }
            let copy = try #require(try await store.harness.restore().compactMap(\.transaction).last)
            let french = Storefront(countryCode: "FRA", identifier: "143442")
            #expect(try await store.facts(copy.id).storefront == french)
            #expect(try await store.rebuilt(pro.id).storefront == french)
        }
    }

    // The offer's whole length: a week, and three times a month.
    @Test(arguments: [("silver", "P1W"), ("gold", "P3M"), ("monthly", nil), ("pro", nil)] as [(String, String?)])
    func receiptNamesTheLengthOfTheOffer(product: String, length: String?) async throws {
        try await withStore { store in
            let bought = try await store.harness.buy(product)
            #expect(try await store.facts(bought.id).transaction.sale?.offerPeriod == length)
            #expect(try await store.rebuilt(bought.id).transaction.sale?.offerPeriod == length)
        }
    }

    @Test func renewalNamesTheLengthOfItsOfferOnceTheStoreHasItNoMore() async throws {
        let catalogue = TestCatalogue()
        try await withStore(catalogue: catalogue) { store in
            _ = try await store.harness.buy("gold")
            try await store.harness.pass(days: 32)
            catalogue.removeOffers(of: "gold")
            try await store.harness.pass(days: 70)
            let lengths = try await store.harness.periods().map { $0.sale?.offerPeriod }
            #expect(lengths == ["P3M", "P3M", "P3M", nil])
        }
    }

    @Test func receiptSaysHowMuchWasPaidBack() async throws {
        try await withStore { store in
            let part = try await store.harness.buy("coins", quantity: 3)
            #expect(try await store.refunded(part.id, quantity: 1).refund == .part)
            #expect(try await store.refunded(part.id).refund == .whole)
            let mixed = try await store.harness.buy("coins", quantity: 3)
            #expect(try await store.refunded(mixed.id, quantity: 1, keepsMoney: true).refund == nil)
            #expect(try await store.refunded(mixed.id, quantity: 1).refund == .part)
            let kept = try await store.harness.buy("pro")
            #expect(try await store.refunded(kept.id, keepsMoney: true).refund == nil)
            let gift = try await store.harness.buy("gift")
            #expect(try await store.refunded(gift.id).refund == .whole)
        }
    }

    @Test(arguments: ["pro", "coins", "gift", "monthly", "silver"])
    func approvedPurchaseHasTheDateOfItsApproval(product: String) async throws {
        try await withStore { store in
            let payment = Payment(productID: product, simulatesAskToBuyInSandbox: true)
            _ = try await store.harness.engine.addPayment(payment, to: EngineHarness.notes)
            store.harness.time.advance(by: 5 * 3600)
            let approved = store.harness.time.now()
            let engine = store.harness.engine
            try await engine.answer(payment.id, kind: .approval, approves: true, reason: "", by: Self.parent)
            let bought = try await store.harness.final(payment.id)
            #expect(bought.purchase?.transactionDate == approved)
            let isSubscription = ["monthly", "silver"].contains(product)
            #expect(bought.subscription?.startDate == (isSubscription ? approved : nil))
            let facts = try await store.facts(payment.id)
            #expect(facts.transaction.purchaseDate == approved)
            #expect(facts.transaction.asOriginal.purchasedAt == approved)
            let record = try #require(try await store.harness.record(payment.id))
            #expect(facts.transaction.purchasedAt == record.purchasedAt)
            if product == "pro" {
                let again = try await store.harness.buy(product)
                #expect(again.original?.purchase.transactionDate == approved)
            }
        }
    }
}
