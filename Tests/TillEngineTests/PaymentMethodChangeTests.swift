import FoundationEssentials
import Testing
@testable import TillEngine
import TillModel
import TillTesting

/// Unpaid renewals whose payer changes the payment method at the provider.
@Suite(.timeLimit(.minutes(5))) struct PaymentMethodChangeTests {
    /// A harness whose first renewal has failed, 32 days after its purchase.
    ///
    /// - Parameter answers: The provider's answers to the renewals; later ones succeed.
    private static func unpaid(
        _ answers: [PreparingProvider.Answer],
        _ body: @escaping @Sendable (EngineHarness, PreparingProvider, UUID) async throws -> Void
    ) async throws {
        let provider = PreparingProvider(hasNews: true)
        let harness = EngineHarness(preparing: provider)
        harness.changeStore { $0.hasGracePeriod = true }
        try await harness.run { harness in
            let first = try await harness.buy("monthly")
            provider.scriptCharges(answers)
            try await harness.pass(days: 32)
            #expect(try await harness.charges().map(\.state) == [.succeeded, .declined])
            try await body(harness, provider, first.id)
        }
    }

    private static func change(_ name: String = "evt_1", of payments: UUID...) -> PaymentMethodChange {
        PaymentMethodChange(reference: name, payments: payments)
    }

    /// The provider names payments that the ledger does not have, too.
    @Test(arguments: [PreparingProvider.Answer.payerAction, .decline])
    func anotherPaymentMethodIsTriedAtOnce(failure: PreparingProvider.Answer) async throws {
        try await Self.unpaid([failure]) { harness, provider, id in
            try await harness.learn(methods: [Self.change(of: .version7(), id)], provider)
            try await harness.settle()
            #expect(try await harness.subscriptions().map(\.state) == [.subscribed])
            let periods = try await harness.periods().compactMap(\.term)
            #expect(periods.count == 2 && periods.first?.end == periods.last?.start)
            let why = try await harness.engine.explanation(ofTransaction: id)
            #expect(
                why.history.contains {
                    $0.detail == "the payer changed the payment method (evt_1): the renewal is tried again"
                }
            )
        }
    }

    @Test func aChangeThatIsToldTwiceIsTriedOnce() async throws {
        try await Self.unpaid([.payerAction, .payerAction]) { harness, provider, id in
            for _ in 0..<2 {
                try await harness.learn(methods: [Self.change(of: id)], provider)
                try await harness.settle()
                #expect(try await harness.charges().count == 3)
            }
            #expect(try await harness.subscriptions().map(\.state) == [.inGracePeriod])
            try await harness.learn(methods: [Self.change("evt_2", of: id)], provider)
            try await harness.settle()
            #expect(try await harness.subscriptions().map(\.state) == [.subscribed])
        }
    }

    /// Of a payment of another ledger, or of another account's.
    @Test(arguments: [true, false])
    func theChangeOfAnotherPayerTriesNothing(isKnown: Bool) async throws {
        try await Self.unpaid([.payerAction]) { harness, provider, _ in
            let other = QueueName(application: "org.example.notes", account: "uid:2000")
            let payment = try await harness.buy("coins", in: other)
            try await harness.learn(methods: [Self.change(of: isKnown ? payment.id : .version7())], provider)
            try await harness.settle()
            #expect(try await harness.subscriptions().map(\.state) == [.inGracePeriod])
        }
    }

    @Test func aRenewalThatWaitsForADisputeKeepsWaiting() async throws {
        let provider = PreparingProvider(hasNews: true)
        try await EngineHarness(preparing: provider).run { harness in
            let id = try await harness.buy("monthly").id
            let dispute = ProviderReversal(
                reference: "du_1",
                kind: .dispute,
                status: .withheld,
                paymentID: id,
                amount: 299,
                currency: "USD"
            )
            try await harness.learn([dispute], provider)
            try await harness.pass(days: 32)
            try await harness.learn(methods: [Self.change(of: id)], provider)
            try await harness.settle()
            #expect(try await harness.charges().count == 1)
        }
    }

    @Test func aPaidSubscriptionIsLeftAlone() async throws {
        let provider = PreparingProvider(hasNews: true)
        try await EngineHarness(preparing: provider).run { harness in
            let id = try await harness.buy("monthly").id
            try await harness.learn(methods: [Self.change(of: id)], provider)
            try await harness.settle()
            #expect(try await harness.charges().count == 1)
            #expect(try await harness.subscriptions().map(\.state) == [.subscribed])
        }
    }
}
