import FoundationEssentials
import Testing
@testable import TillEngine
import TillMemoryLedger
import TillModel
import TillTesting

/// Cancelling a payment that waits for its payer.
@Suite(.timeLimit(.minutes(5))) struct PayerCancellationTests {
    struct Answer: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// What the provider did before the payment is cancelled, which the engine does not know.
        var before: PreparingProvider.Answer?
        var state: TransactionState
        var charge: ChargeRecord.State
    }

    @Test(arguments: [
        Answer(testDescription: "withdraws it", state: .failed, charge: .declined),
        Answer(testDescription: "had declined it", before: .decline, state: .failed, charge: .declined),
        Answer(testDescription: "had been paid", before: .succeed, state: .purchased, charge: .succeeded),
        Answer(testDescription: "is being paid", before: .pending, state: .deferred, charge: .open),
    ])
    func theProviderDecidesWhetherAPaymentIsCancelled(_ answer: Answer) async throws {
        let provider = PreparingProvider(asksPayer: true)
        try await Self.harness(provider).run { harness in
            let payment = try await harness.paymentWaitingForPayer(provider)
            answer.before.map { provider.settle("prepared-0", $0) }
            if answer.state == .failed {
                let cancelled = try await harness.engine.cancelPayment(payment.id, in: EngineHarness.notes)
                #expect(cancelled.state == .failed)
                #expect(cancelled.error?.code == .paymentCancelled && cancelled.error?.reason == .withdrawn)
                #expect(cancelled.error?.moneyMoved == .no)
                let again = try await harness.engine.cancelPayment(payment.id, in: EngineHarness.notes)
                #expect(again == cancelled, "repeating it is harmless")
            } else {
                await expect(.failedPrecondition) {
                    _ = try await harness.engine.cancelPayment(payment.id, in: EngineHarness.notes)
                }
            }
            let transaction = try await harness.ledger.read { try $0.transaction(payment.id) }
            #expect(transaction?.state == answer.state)
            #expect(transaction?.blocker == (answer.charge == .open ? .provider : nil))
            #expect(try await harness.charges().map(\.state) == [answer.charge])
        }
        #expect(provider.calls == ["prepare", "charge prepared-0", "withdraw prepared-0"])
    }

    @Test func aCancellationThatTheProviderDoesNotAnswerChangesNothing() async throws {
        let provider = PreparingProvider(asksPayer: true)
        let ledger = MemoryLedger()
        try await Self.harness(provider, ledger: ledger).run { harness in
            let payment = try await harness.paymentWaitingForPayer(provider)
            let before = try await harness.rows(of: payment.id)
            provider.setReachable(false)
            await expect(.unavailable) {
                _ = try await harness.engine.cancelPayment(payment.id, in: EngineHarness.notes)
            }
            #expect(try await harness.rows(of: payment.id) == before)
            provider.setReachable(true)
            let cancelled = try await harness.engine.cancelPayment(payment.id, in: EngineHarness.notes)
            #expect(cancelled.error?.reason == .withdrawn)
            let changes = try await harness.rows(of: payment.id).history.dropFirst(before.history.count)
            #expect(
                changes.map(\.detail) == [
                    "asked to withdraw the charge: declined: Withdrawn.", "cancelled by the application",
                ]
            )
        }
    }

    @Test func onlyTheQueueOfAPaymentCancelsIt() async throws {
        let provider = PreparingProvider(asksPayer: true)
        try await Self.harness(provider).run { harness in
            let payment = try await harness.paymentWaitingForPayer(provider)
            let other = QueueName(application: EngineHarness.notes.application, account: "uid:1001")
            await expect(.notFound) { _ = try await harness.engine.cancelPayment(payment.id, in: other) }
        }
        #expect(!provider.calls.contains("withdraw prepared-0"))
    }

    @Test func aPreparedChargeThatDoesNotWaitForItsPayerIsNotWithdrawn() async throws {
        let provider = PreparingProvider()
        provider.scriptCharges([.pending])
        try await Self.harness(provider).run { harness in
            let payment = Payment(productID: "coins")
            _ = try await harness.engine.addPayment(payment, to: EngineHarness.notes)
            while provider.calls.count < 2 {
                try await Task.yieldUnlessCancelled()
            }
            await expect(.failedPrecondition) {
                _ = try await harness.engine.cancelPayment(payment.id, in: EngineHarness.notes)
            }
        }
        #expect(!provider.calls.contains("withdraw prepared-0"))
    }

    /// The daemon ends between the provider's answer and the commit: the next one asks, and the payment fails.
    @Test func aCancellationStoresNothingBeforeTheProvidersAnswer() async throws {
        let provider = PreparingProvider(asksPayer: true)
        let ledger = MemoryLedger()
        try await Self.harness(provider, ledger: ledger).run { harness in
            let payment = try await harness.paymentWaitingForPayer(provider)
            let before = try await harness.rows(of: payment.id)
            try await Self.whileWithdrawing(payment, provider, harness) {
                #expect(provider.outcomes["prepared-0"].flatMap(\.self) != nil, "the provider has withdrawn it")
                #expect(try await harness.rows(of: payment.id) == before)
                let left = ledger.snapshot()
                try await Self.harness(provider, ledger: left, time: harness.time).run { next in
                    try await next.advance(until: payment.id)
                    let failed = try await next.final(payment.id)
                    #expect(failed.state == .failed && failed.error?.moneyMoved == .no)
                    #expect(try await next.charges().map(\.state) == [.declined])
                    await expect(.failedPrecondition) {
                        _ = try await next.engine.cancelPayment(payment.id, in: EngineHarness.notes)
                    }
                }
            }
        }
    }

    @Test func noJobAsksAboutAChargeThatIsBeingWithdrawn() async throws {
        let provider = PreparingProvider(asksPayer: true)
        try await Self.harness(provider).run { harness in
            let payment = try await harness.paymentWaitingForPayer(provider)
            try await Self.whileWithdrawing(payment, provider, harness) {
                for _ in 0..<3 {
                    harness.time.advance(by: 3600)
                    try await harness.engine.settleDue()
                }
                #expect(provider.calls.last == "withdraw prepared-0")
            }
            #expect(try await harness.final(payment.id).error?.reason == .withdrawn)
        }
        #expect(provider.calls.last == "withdraw prepared-0")
    }

    @Test func aCancellationWaitsForTheJobThatIsAtWork() async throws {
        let provider = PreparingProvider(asksPayer: true)
        try await Self.harness(provider).run { harness in
            let payment = try await harness.paymentWaitingForPayer(provider)
            provider.queries.close()
            while provider.queries.arrivals == 0 {
                harness.time.advance(by: 1)
                try await Task.yieldUnlessCancelled()
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { _ = try await harness.engine.cancelPayment(payment.id, in: EngineHarness.notes) }
                for _ in 0..<200 {
                    try await Task.yieldUnlessCancelled()
                }
                #expect(provider.calls.last == "query prepared-0")
                provider.queries.open()
                try await group.waitForAll()
            }
            #expect(try await harness.final(payment.id).error?.reason == .withdrawn)
        }
        #expect(Array(provider.calls.suffix(2)) == ["query prepared-0", "withdraw prepared-0"])
    }

    @Test func theNextPaymentContinuesWhenOneThatWaitsForItsPayerIsCancelled() async throws {
        let provider = PreparingProvider(asksPayer: true)
        try await Self.harness(provider).run { harness in
            let first = try await harness.paymentWaitingForPayer(for: "pro", provider)
            let second = Payment(productID: "pro")
            let added = try await harness.engine.addPayment(second, to: EngineHarness.notes)
            #expect(added.blocker == .otherPayment)
            _ = try await harness.engine.cancelPayment(first.id, in: EngineHarness.notes)
            #expect(try await harness.final(second.id).state == .purchased)
        }
        #expect(provider.calls.suffix(2) == ["prepare", "charge prepared-1"])
    }
}

extension PayerCancellationTests {
    private static func harness(
        _ provider: PreparingProvider,
        ledger: any Ledger = MemoryLedger(),
        time: VirtualTime = VirtualTime()
    ) -> EngineHarness {
        EngineHarness(ledger: ledger, time: time, preparing: provider)
    }

    /// Cancels the payment, and runs `body` once the provider has withdrawn the charge but has not answered.
    private static func whileWithdrawing(
        _ payment: Payment,
        _ provider: PreparingProvider,
        _ harness: EngineHarness,
        _ body: () async throws -> Void
    ) async throws {
        provider.withdrawals.close()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { _ = try await harness.engine.cancelPayment(payment.id, in: EngineHarness.notes) }
            await provider.withdrawals.arrival()
            defer { provider.withdrawals.open() }
            try await body()
            provider.withdrawals.open()
            try await group.waitForAll()
        }
    }
}
