import FoundationEssentials
import Testing
@testable import TillEngine
import TillMemoryLedger
import TillModel
import TillTesting

@Suite struct UnknownOutcomeTests {
    @Test func aTimeoutAfterTheEffectIsQueriedAndNotChargedAgain() async throws {
        let harness = EngineHarness()
        harness.provider.script("coins", [.timeOutAfter])
        try await harness.run { harness in
            let payment = Payment(productID: "coins")
            _ = try await harness.engine.addPayment(payment, to: EngineHarness.notes)
            try await harness.advance(until: payment.id)
            #expect(harness.provider.calls == ["charge", "query"])
            #expect(harness.provider.charges == [payment.id: 1])
        }
    }

    @Test func aTimeoutBeforeTheEffectIsQueriedBeforeItIsChargedAgain() async throws {
        let harness = EngineHarness()
        harness.provider.script("coins", [.timeOutBefore])
        try await harness.run { harness in
            let payment = Payment(productID: "coins")
            _ = try await harness.engine.addPayment(payment, to: EngineHarness.notes)
            try await harness.advance(until: payment.id)
            #expect(harness.provider.calls == ["charge", "query", "charge"])
            #expect(harness.provider.charges == [payment.id: 1])
        }
    }

    @Test func anEngineThatStartsAsksTheProviderFirst() async throws {
        let ledger = MemoryLedger()
        let provider = ScriptedProvider()
        let time = VirtualTime()
        let payment = Payment(productID: "coins")
        provider.script("coins", [.timeOutAfter])
        try await EngineHarness(ledger: ledger, time: time, provider: provider).run { harness in
            _ = try await harness.engine.addPayment(payment, to: EngineHarness.notes)
        }
        try await EngineHarness(ledger: ledger, time: time, provider: provider).run { harness in
            try await harness.advance(until: payment.id)
            let value1 = try await harness.final(payment.id).state
            #expect(value1 == .purchased)
        }
        #expect(provider.charges == [payment.id: 1])
        #expect(provider.calls.last == "query")
    }

    @Test func aProviderThatNeverAnswersEndsInReview() async throws {
        let harness = EngineHarness { $0.purchasingDeadline = .seconds(300) }
        harness.provider.setReachable(false)
        try await harness.run { harness in
            let payment = Payment(productID: "coins")
            _ = try await harness.engine.addPayment(payment, to: EngineHarness.notes)
            try await harness.advance(until: payment.id)
            let transaction = try await harness.final(payment.id)
            #expect(transaction.state == .failed)
            #expect(transaction.error?.moneyMoved == .unknown)
            #expect(transaction.error?.retry == .afterReconciliation)
            let charge = try await harness.ledger.read { try $0.charges(afterKey: 0, limit: 1) }.first
            #expect(charge?.state == .needsReview)
            #expect(harness.time.now().timeIntervalSince(charge?.createdAt ?? .distantFuture) >= 300)
        }
    }

    @Test func aSecondAnswerChangesNothing() async throws {
        try await EngineHarness().run { harness in
            let bought = try await harness.own("coins")
            let charge = try await harness.charges().first
            let key = try #require(charge?.key)
            for outcome in [DefiniteOutcome.succeeded(reference: "other"), .declined(PaymentError(.unknown, "No."))] {
                let talk = ProviderTalk(charge: key, name: charge?.reference, notes: [])
                try await harness.engine.chargeJobs.settle(talk, outcome)
            }
            let after = try await harness.charges().first
            #expect(after == charge)
            let record = try await harness.record(bought.id)
            #expect(record?.state == .purchased)
            #expect(harness.provider.charges == [bought.id: 1])
        }
    }

    @Test(arguments: [
        (attempts: 0, seconds: 1.0), (1, 2), (2, 4), (5, 32), (6, 50), (1000, 50),
    ])
    func waitsBetweenQuestionsDoubleUpToFiftySeconds(attempts: Int, seconds: Double) {
        let now = Date(timeIntervalSince1970: 1000)
        var charge = Self.charge(createdAt: now)
        charge.attempts = attempts
        let step = ChargeStep.after(
            ChargeOutcome.unknown(reason: ""),
            of: charge,
            now: now,
            deadline: .seconds(23 * 3600)
        )
        #expect(step == .retry(at: now.addingTimeInterval(seconds)))
    }

    @Test func noChargeIsMadeAfterTheDeadline() {
        let created = Date(timeIntervalSince1970: 1000)
        let charge = Self.charge(createdAt: created)
        let before = ChargeStep.after(
            .notFound,
            of: charge,
            now: created.addingTimeInterval(59),
            deadline: .seconds(60)
        )
        let after = ChargeStep.after(
            .notFound,
            of: charge,
            now: created.addingTimeInterval(60),
            deadline: .seconds(60)
        )
        #expect(before == .charge)
        guard case .settle(.abandoned) = after else {
            Issue.record("\(after)")
            return
        }
    }

    private static func charge(createdAt date: Date) -> ChargeRecord {
        ChargeRecord(
            key: 1,
            transactionKey: 1,
            queue: 1,
            request: ChargeRequest(
                paymentID: UUID(),
                application: "a",
                account: "b",
                productID: "coins",
                quantity: 1,
                amount: 99,
                currency: "USD"
            ),
            state: .open,
            createdAt: date,
            dueAt: date
        )
    }
}
