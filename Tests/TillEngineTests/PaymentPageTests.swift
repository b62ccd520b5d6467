import FoundationEssentials
import Testing
@testable import TillEngine
import TillModel
import TillTesting

/// The user of a payment that is paid on the provider's page.
@Suite(.timeLimit(.minutes(5))) struct PaymentPageTests {
    private static let user = Approver(uid: 1000, account: EngineHarness.notes.account, approvesForOthers: false)
    private static let other = Approver(uid: 1001, account: "uid:1001", approvesForOthers: false)
    private static let parent = Approver(uid: 1002, account: "uid:1002", approvesForOthers: true)

    private static func with(
        _ body: @escaping @Sendable (EngineHarness, PreparingProvider, Payment) async throws -> Void
    ) async throws {
        let provider = PreparingProvider(asksPayer: true)
        try await EngineHarness(preparing: provider).run { harness in
            let payment = try await harness.paymentWaitingForPayer(provider)
            try await body(harness, provider, payment)
        }
    }

    @Test(arguments: [user, parent])
    func thePayersPageIsFoundByThoseWhoAreAsked(_ approver: Approver) async throws {
        try await Self.with { harness, _, payment in
            let page = try await harness.engine.authorizationRequests(for: approver, token: 0, limit: 32).page
            #expect(page.map(\.id) == [payment.id] && page.map(\.kind) == [.payment])
            #expect(page.first?.deadline == page.first?.createdAt.addingTimeInterval(3600))
            let address = try await harness.engine.paymentPage(payment.id, for: approver)
            #expect(address == "https://pay.example/prepared-0")
        }
    }

    @Test func nobodyElseLearnsOfThePage() async throws {
        try await Self.with { harness, _, payment in
            let page = try await harness.engine.authorizationRequests(for: Self.other, token: 0, limit: 32).page
            #expect(page.isEmpty)
            await expect(.notFound) { _ = try await harness.engine.paymentPage(payment.id, for: Self.other) }
            await expect(.notFound) { _ = try await harness.engine.paymentPage(.version7(), for: Self.user) }
        }
    }

    @Test(arguments: [PreparingProvider.Answer.succeed, .decline])
    func aPaymentThatHasEndedHasNoPage(_ end: PreparingProvider.Answer) async throws {
        try await Self.with { harness, provider, payment in
            provider.settle("prepared-0", end)
            await expect(.failedPrecondition) { _ = try await harness.engine.paymentPage(payment.id, for: Self.user) }
            try await harness.advance(until: payment.id)
            await expect(.failedPrecondition) { _ = try await harness.engine.paymentPage(payment.id, for: Self.user) }
        }
    }

    @Test func aProviderThatCannotBeAskedGivesNoPage() async throws {
        try await Self.with { harness, provider, payment in
            provider.setReachable(false)
            await expect(.unavailable) { _ = try await harness.engine.paymentPage(payment.id, for: Self.user) }
            provider.setReachable(true)
            _ = try await harness.engine.paymentPage(payment.id, for: Self.user)
        }
    }

    /// Only the payer, on the page, can say yes.
    @Test func aPaymentCannotBeApproved() async throws {
        try await Self.with { harness, provider, payment in
            await expect(.failedPrecondition) { try await harness.answer(payment, approves: true, by: Self.user) }
            #expect(provider.outcomes["prepared-0"] == .some(nil))
        }
    }

    @Test func aUserWhoDeclinesCancelsThePayment() async throws {
        try await Self.with { harness, provider, payment in
            await expect(.notFound) { try await harness.answer(payment, approves: false, by: Self.other) }
            try await harness.answer(payment, approves: false, by: Self.user)
            let final = try await harness.final(payment.id)
            #expect(final.error?.code == .paymentCancelled && final.error?.reason == .cancelled)
            #expect(final.error?.moneyMoved == .no)
            #expect(provider.calls.last == "withdraw prepared-0")
            let history = try await harness.rows(of: payment.id).history
            #expect(history.last?.detail == "declined (payerAction)")
            await expect(.failedPrecondition) { try await harness.answer(payment, approves: false, by: Self.user) }
        }
    }

    @Test func aUserWhoDeclinesTooLateHasPaid() async throws {
        try await Self.with { harness, provider, payment in
            provider.settle("prepared-0", .succeed)
            await expect(.failedPrecondition) { try await harness.answer(payment, approves: false, by: Self.user) }
            let final = try await harness.final(payment.id)
            #expect(final.state == .purchased)
        }
    }
}

extension EngineHarness {
    fileprivate func answer(_ payment: Payment, approves: Bool, by approver: Approver) async throws(TillError) {
        try await engine.answer(payment.id, kind: .payment, approves: approves, reason: "", by: approver)
    }

    /// Adds the provider's first payment, and returns it once it waits for its payer.
    func paymentWaitingForPayer(for product: String = "coins", _ provider: PreparingProvider) async throws -> Payment {
        provider.scriptCharges([.payerAction])
        let payment = Payment(productID: product)
        _ = try await engine.addPayment(payment, to: Self.notes)
        while try await ledger.read({ try $0.transaction(payment.id) })?.blocker != .payerAction {
            try await Task.yieldUnlessCancelled()
        }
        return payment
    }
}
