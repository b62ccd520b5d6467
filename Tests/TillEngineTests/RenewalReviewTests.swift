import FoundationEssentials
import Testing
@testable import TillEngine
import TillModel
import TillTesting

/// An operator resolves the outcome of a renewal's charge after the subscription has continued without it.
@Suite(.timeLimit(.minutes(10))) struct RenewalReviewTests {
    private static let by = OperatorIdentity(uid: 501, reason: "looked it up")

    @Test(arguments: [ReviewOutcome.charged(reference: "ch_1"), .notCharged])
    func aRenewalIsResolvedOnceItsSubscriptionHasExpired(outcome: ReviewOutcome) async throws {
        try await Self.inReview("monthly", rate: .oneSecondIsOneDay) { harness, first in
            #expect(try await harness.subscriptions().map(\.state) == [.expired])
            #expect(try await Self.found(harness) == [first.id])
            _ = try await harness.engine.resolve(first.id, review: outcome, by: Self.by)
            #expect(try await Self.found(harness).isEmpty)
            let isCharged = outcome != .notCharged
            #expect(try await harness.subscriptions().map(\.state) == [isCharged ? .subscribed : .expired])
            let last = try await harness.charges().last
            #expect(last?.state == (isCharged ? .succeeded : .declined))
            let periods = try await harness.periods()
            #expect(periods.count == (isCharged ? 2 : 1))
            #expect(!isCharged || periods.last?.term?.start == harness.time.now())
            await expect(.failedPrecondition) {
                _ = try await harness.engine.resolve(first.id, review: outcome, by: Self.by)
            }
        }
    }

    @Test(arguments: [ReviewOutcome.charged(reference: nil), .notCharged])
    func aRenewalIsResolvedOnceItsSubscriptionWasBoughtAgain(outcome: ReviewOutcome) async throws {
        try await Self.inReview("monthly") { harness, first in
            harness.provider.setReachable(true)
            let again = try await harness.buy("monthly")
            #expect(try await Self.found(harness) == [again.id])
            _ = try await harness.engine.resolve(first.id, review: outcome, by: Self.by)
            #expect(try await Self.found(harness).isEmpty)
            let status = try await harness.subscriptions().first
            #expect(status?.state == .subscribed && status?.willAutoRenew == true)
            let ends = try await harness.periods().map { $0.term?.end }
            if outcome == .notCharged {
                #expect(status?.expirationDate == again.subscription?.expirationDate)
                #expect(ends.count == 2)
            } else {
                #expect(ends.count == 3 && status?.expirationDate == ends.last)
                #expect(try await harness.periods().last?.term?.start == again.subscription?.expirationDate)
            }
        }
    }

    @Test
    func aRenewalThatAnotherProductTookThePlaceOfGoesBack() async throws {
        try await Self.inReview("silver.plus") { harness, first in
            harness.provider.setReachable(true)
            let gold = try await harness.buy("gold")
            _ = try await harness.engine.resolve(first.id, review: .charged(reference: nil), by: Self.by)
            let status = try await harness.subscriptions().first
            #expect(status?.productID == "gold" && status?.latestID == gold.id)
            #expect(try await harness.entitlements().map(\.productID) == ["gold"])
            let renewal = try #require(try await harness.periods().last)
            #expect(renewal.payment.productID == "silver.plus" && renewal.term?.isUpgraded == true)
            let refunds = try await harness.ledger.read { try $0.refunds(ofTransaction: renewal.key) }
            #expect(refunds.map(\.amount) == [599])
        }
    }

    /// As for a purchase, the name that the provider gave to the charge stays, unless the operator states another.
    @Test(arguments: [(false, nil), (true, nil), (true, "pi_2")] as [(prepares: Bool, stated: String?)])
    func aRenewalThatWasChargedKeepsItsReference(prepares: Bool, stated: String?) async throws {
        try await Self.inReview("monthly", preparing: prepares ? PreparingProvider() : nil) { harness, first in
            let reference = try await harness.charges().last?.reference
            #expect(reference == (prepares ? "prepared-1" : nil))
            _ = try await harness.engine.resolve(first.id, review: .charged(reference: stated), by: Self.by)
            let renewal = try #require(try await harness.charges().last)
            #expect(renewal.state == .succeeded && renewal.reference == stated ?? reference)
        }
    }

    private static func found(_ harness: EngineHarness) async throws -> [UUID] {
        let (page, _) = try await harness.engine.operatorTransactions(
            matching: TransactionFilter(attention: .needsReview),
            token: 0,
            limit: 10
        )
        return page.filter(\.needsReview).map(\.transaction.id)
    }

    /// A subscription whose first renewal nobody knows about, while the provider cannot be reached.
    private static func inReview(
        _ product: String,
        rate: TimeRate = .realTime,
        preparing: PreparingProvider? = nil,
        _ body: @escaping @Sendable (EngineHarness, Transaction) async throws -> Void
    ) async throws {
        let harness = EngineHarness(preparing: preparing) { $0.purchasingDeadline = .seconds(600) }
        harness.changeStore { $0.timeRate = rate }
        try await harness.run { harness in
            let first = try await harness.buy(product)
            let end = try #require(first.subscription?.expirationDate)
            harness.provider.setReachable(false)
            preparing?.beforeCharges { _, _ in preparing?.setReachable(false) }
            harness.time.advance(by: end.timeIntervalSince(harness.time.now()))
            while try await harness.charges().last?.state != .needsReview {
                harness.time.advance(by: 10)
                try await Task.yieldUnlessCancelled()
            }
            try await body(harness, first)
        }
    }
}
