import FoundationEssentials
import Testing
@testable import TillEngine
import TillMemoryLedger
import TillModel
import TillTesting

/// Renewals that are not tried again by themselves, because another attempt with the payment method would fail too.
@Suite(.timeLimit(.minutes(5))) struct RenewalHoldTests {
    private static let by = OperatorIdentity(uid: 501, reason: "the payer has another card")

    /// A harness whose first renewal has failed, 32 days after its purchase.
    ///
    /// - Parameter needsPayer: Whether the payer would have to confirm the renewal; else its card was lost.
    private static func held(
        needsPayer: Bool,
        hasGrace: Bool = false,
        _ body: @escaping @Sendable (EngineHarness, UUID) async throws -> Void
    ) async throws {
        let preparing = needsPayer ? PreparingProvider() : nil
        let harness = EngineHarness(preparing: preparing)
        harness.changeStore { $0.hasGracePeriod = hasGrace }
        try await harness.run { harness in
            let first = try await harness.buy("monthly")
            preparing?.scriptCharges([.payerAction])
            harness.provider.script("monthly", [.declineForGood])
            try await harness.pass(days: 32)
            #expect(try await harness.charges().map(\.state) == [.succeeded, .declined])
            try await body(harness, first.id)
        }
    }

    @Test(arguments: [true, false])
    func aRenewalIsNotTriedAgainWithoutAnotherPaymentMethod(needsPayer: Bool) async throws {
        try await Self.held(needsPayer: needsPayer) { harness, id in
            try await harness.pass(days: 58)
            #expect(try await harness.charges().count == 2)
            #expect(try await harness.subscriptions().map(\.state) == [.inBillingRetryPeriod])
            let why = try await harness.engine.explanation(ofTransaction: id)
            #expect(why.sentence.contains("The renewal is not tried again by itself"), "\(why.sentence)")
            #expect(why.actions.contains("till resolve \(id.text)"))
            let reason = needsPayer ? "The payer would have to confirm the renewal, and nothing was charged." : "Lost."
            #expect(why.history.contains { $0.detail == reason })
            try await harness.pass(days: 2)
            let status = try await harness.subscriptions().first
            #expect(status?.state == .expired && status?.expirationReason == .billingError)
            #expect(try await harness.charges().count == 2)
        }
    }

    /// The answer to the charge was lost, and the machine then slept until the deadline had passed.
    @Test func aRenewalIsNotTriedAgainIfItsPayerIsNeededAfterTheDeadline() async throws {
        let preparing = PreparingProvider()
        try await EngineHarness(preparing: preparing).run { harness in
            _ = try await harness.buy("monthly")
            preparing.scriptCharges([.timeOutBefore])
            harness.time.advance(by: 32 * 86400)
            while try await harness.charges().map(\.attempts) != [1, 1] {
                try await Task.yieldUnlessCancelled()
            }
            preparing.settle("prepared-1", .payerAction)
            try await harness.pass(days: 1)
            #expect(try await harness.charges().map(\.state) == [.succeeded, .declined])
            #expect(preparing.calls.last == "withdraw prepared-1")
            try await harness.pass(days: 50)
            #expect(try await harness.charges().count == 2)
        }
    }

    @Test(arguments: [true, false])
    func anotherPaymentMethodIsTriedAtOnce(needsPayer: Bool) async throws {
        try await Self.held(needsPayer: needsPayer, hasGrace: true) { harness, id in
            #expect(try await harness.subscriptions().map(\.state) == [.inGracePeriod])
            try await harness.pass(days: 10)
            _ = try await harness.engine.resolve(id, review: nil, by: Self.by)
            try await harness.settle()
            #expect(try await harness.subscriptions().map(\.state) == [.subscribed])
            let periods = try await harness.periods().compactMap(\.term)
            #expect(periods.count == 2 && periods.first?.end == periods.last?.start)
        }
    }

    /// The next payment method may be declined in a way that later attempts are not.
    @Test func attemptsContinueIfTheNextPaymentMethodMayPayLater() async throws {
        try await Self.held(needsPayer: false) { harness, id in
            harness.provider.script("monthly", [.decline])
            _ = try await harness.engine.resolve(id, review: nil, by: Self.by)
            try await harness.settle()
            #expect(try await harness.subscriptions().map(\.state) == [.inBillingRetryPeriod])
            try await harness.pass(days: 6)
            #expect(try await harness.charges().map(\.state) == [.succeeded, .declined, .declined, .succeeded])
        }
    }

    @Test func anOperatorsRenewalIsTriedAtOnceToo() async throws {
        try await Self.held(needsPayer: false) { harness, id in
            let status = try await harness.engine.renewSubscription(id, by: Self.by)
            #expect(status.state == .subscribed)
        }
    }

    @Test func theNextEngineDoesNotTryAgainEither() async throws {
        try await Self.held(needsPayer: false) { harness, _ in
            guard let ledger = harness.ledger as? MemoryLedger else {
                Issue.record("The ledger is another one.")
                return
            }
            let next = EngineHarness(ledger: ledger.snapshot(), time: harness.time)
            try await next.run { next in
                try await next.pass(days: 50)
                #expect(try await next.charges().count == 2)
                #expect(next.provider.calls.isEmpty)
            }
        }
    }
}
