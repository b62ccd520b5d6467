import FoundationEssentials
import Testing
@testable import TillEngine
import TillModel
import TillTesting

/// Payment methods that accounts keep at the provider.
@Suite(.timeLimit(.minutes(5))) struct PaymentMethodTests {
    private static let user = Approver(uid: 1000, account: "uid:1000", approvesForOthers: false)

    private static func with(
        _ body: @escaping @Sendable (EngineHarness, PreparingProvider) async throws -> Void
    ) async throws {
        let provider = PreparingProvider()
        try await EngineHarness(preparing: provider).run { harness in
            try await body(harness, provider)
        }
    }

    @Test func theProviderFindsThePayerByASubscriptionsPayment() async throws {
        try await Self.with { harness, _ in
            _ = try await harness.buy("coins")
            _ = try await harness.buy("monthly")
            let engine = harness.engine
            #expect(try await engine.paymentMethods(in: EngineHarness.notes).map(\.id) == ["of prepared-1"])
            let page = try await engine.paymentMethodPage(.add, in: EngineHarness.notes)
            #expect(page == "https://pay.example/add/prepared-1")
        }
    }

    /// Its payer is the one who has to act.
    @Test func aSubscriptionThatIsNotPaidForComesFirst() async throws {
        try await Self.with { harness, provider in
            _ = try await harness.buy("monthly")
            provider.scriptCharges([.payerAction])
            try await harness.pass(days: 32)
            _ = try await harness.buy("silver.plus")
            #expect(try await harness.subscriptions().map(\.state) == [.inBillingRetryPeriod, .subscribed])
            #expect(
                try await harness.engine.paymentMethods(in: EngineHarness.notes).map(\.id) == ["of prepared-0"]
            )
        }
    }

    @Test func anAccountWithoutASubscriptionHasNone() async throws {
        try await Self.with { harness, _ in
            _ = try await harness.buy("coins")
            let error = await #expect(throws: TillError.self) {
                _ = try await harness.engine.paymentMethods(in: EngineHarness.notes)
            }
            #expect(error?.code == .failedPrecondition)
            #expect(error?.message.contains("has paid for no subscription") == true)
        }
    }

    @Test func theSimulatedStoreKeepsNone() async throws {
        try await EngineHarness().run { harness in
            _ = try await harness.buy("monthly")
            let error = await #expect(throws: TillError.self) {
                _ = try await harness.engine.paymentMethodPage(.manage, in: EngineHarness.notes)
            }
            #expect(error?.code == .failedPrecondition)
            #expect(error?.message == "The provider keeps no payment methods.")
        }
    }

    @Test func aRemovalIsInTheAuditLog() async throws {
        try await Self.with { harness, _ in
            _ = try await harness.buy("monthly")
            let engine = harness.engine
            await expect(.notFound) {
                try await engine.removePaymentMethod("of another", in: EngineHarness.notes, by: Self.user)
            }
            #expect(try await engine.audit(after: 0, limit: 64).isEmpty)
            try await engine.removePaymentMethod("of prepared-0", in: EngineHarness.notes, by: Self.user)
            let link = try #require(try await engine.audit(after: 0, limit: 64).first)
            #expect(link.action == "RemovePaymentMethod" && link.subject == "of prepared-0" && link.uid == 1000)
        }
    }
}
