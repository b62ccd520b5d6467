import FoundationEssentials
import Testing
@testable import TillEngine
import TillModel
import TillTesting

@Suite(.timeLimit(.minutes(10))) struct ReviewTests {
    private static let by = OperatorIdentity(uid: 501, reason: "looked it up")

    @Test func moneyThatMovedBuysInAnotherTransaction() async throws {
        try await Self.inReview("pro") { harness, failed in
            let outcome = ReviewOutcome.charged(reference: "ch_1")
            let continuing = try await harness.engine.resolve(failed.id, review: outcome, by: Self.by)
            #expect(continuing.state == .purchased)
            #expect(continuing.continues == failed.id)
            #expect(continuing.id != failed.id)
            let record = try await harness.record(continuing.id)
            #expect(record?.isEntitlement == true)
            let old = try await harness.record(failed.id)
            #expect(old?.state == .failed)
            let charges = try await harness.ledger.read { try $0.charges(afterKey: 0, limit: 10) }
            #expect(charges.map(\.state) == [.succeeded])
            #expect(charges.map(\.reference) == ["ch_1"])
            #expect(charges.map(\.transactionKey) == [record?.key])
            let log = try await harness.ledger.read { try $0.audit(after: 0, limit: 10) }
            #expect(log.map(\.detail) == ["charged as ch_1"])
        }
    }

    @Test func aPurchaseFoundToBeChargedCanBeRefunded() async throws {
        try await Self.inReview("pro") { harness, failed in
            let outcome = ReviewOutcome.charged(reference: nil)
            let continuing = try await harness.engine.resolve(failed.id, review: outcome, by: Self.by)
            harness.provider.setReachable(true)
            let (refund, _) = try await harness.engine.refund(RefundOrder(transactionID: continuing.id), by: Self.by)
            #expect(refund.state == .succeeded)
            #expect(harness.provider.refunds.values.map(\.paymentID) == [failed.id])
        }
    }

    @Test func anUnchargedPaymentStaysFailed() async throws {
        try await Self.inReview("pro") { harness, failed in
            let resolved = try await harness.engine.resolve(failed.id, review: .notCharged, by: Self.by)
            #expect(resolved.id == failed.id)
            #expect(resolved.state == .failed)
            let charges = try await harness.ledger.read { try $0.charges(afterKey: 0, limit: 10) }
            #expect(charges.map(\.state) == [.declined])
            await expect(.failedPrecondition) {
                _ = try await harness.engine.resolve(failed.id, review: .notCharged, by: Self.by)
            }
        }
    }

    @Test func anExplanationAsksForTheOutcome() async throws {
        try await Self.inReview("coins") { harness, failed in
            let explanation = try await harness.engine.explanation(ofTransaction: failed.id)
            #expect(explanation.actions.contains("till resolve \(failed.id.text) --not-charged"))
            let (found, _) = try await harness.engine.operatorTransactions(
                matching: TransactionFilter(attention: .needsReview),
                token: 0,
                limit: 10
            )
            #expect(found.map(\.transaction.id) == [failed.id])
            #expect(found.map(\.needsReview) == [true])
        }
    }

    @Test func aReviewBeginsNoPeriodWhileTheGroupsRenewalIsUnderWay() async throws {
        let harness = EngineHarness { $0.purchasingDeadline = .seconds(3600) }
        try await harness.run { harness in
            let silver = try await harness.buy("silver.plus")
            let end = try #require(silver.subscription?.expirationDate)
            harness.time.advance(by: end.timeIntervalSince(harness.time.now()) - 4000)
            harness.provider.setReachable(false)
            let upgrade = Payment(productID: "gold")
            _ = try await harness.engine.addPayment(upgrade, to: EngineHarness.notes)
            try await harness.advance(until: upgrade.id)
            harness.time.advance(by: max(0, end.timeIntervalSince(harness.time.now())))
            let key = try #require(try await harness.periods().first?.term?.subscription)
            try await harness.engine.dueJobs.advance(subscription: key)
            #expect(try await harness.charges().map(\.state) == [.succeeded, .needsReview, .open])
            await expect(.failedPrecondition) {
                _ = try await harness.engine.resolve(upgrade.id, review: .charged(reference: nil), by: Self.by)
            }
            harness.provider.script("silver.plus", [.decline])
            harness.provider.setReachable(true)
            while try await harness.charges().last?.state == .open {
                harness.time.advance(by: 60)
                try await Task.yieldUnlessCancelled()
            }
            #expect(try await harness.subscriptions().map(\.state) == [.inBillingRetryPeriod])
            let gold = try await harness.engine.resolve(upgrade.id, review: .charged(reference: nil), by: Self.by)
            #expect(gold.state == .purchased)
            #expect(try await harness.subscriptions().map(\.state) == [.subscribed])
            #expect(try await harness.entitlements().map(\.productID) == ["gold"])
        }
    }

    /// A payment whose charge nobody knows about, while the provider cannot be reached.
    private static func inReview(
        _ product: String,
        _ body: @escaping @Sendable (EngineHarness, Transaction) async throws -> Void
    ) async throws {
        let harness = EngineHarness { $0.purchasingDeadline = .seconds(10) }
        harness.provider.setReachable(false)
        try await harness.run { harness in
            let payment = Payment(productID: product)
            _ = try await harness.engine.addPayment(payment, to: EngineHarness.notes)
            try await harness.advance(until: payment.id)
            try await body(harness, try await harness.final(payment.id))
        }
    }
}
