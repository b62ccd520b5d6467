import FoundationEssentials
import Testing
@testable import TillEngine
import TillMemoryLedger
import TillModel
import TillTesting

/// How soon the provider is asked about a charge after a restart, however many there are.
@Suite(.timeLimit(.minutes(1))) struct RestartTests {
    private let ledger = MemoryLedger()
    private let time = VirtualTime()

    @Test func anEngineThatStartsKeepsTheWaitOfAChargeThatWasAskedAbout() async throws {
        let provider = ScriptedProvider()
        provider.setReachable(false)
        let payment = Payment(productID: "coins")
        try await EngineHarness(ledger: ledger, time: time, provider: provider).run { harness in
            _ = try await harness.engine.addPayment(payment, to: EngineHarness.notes)
        }
        for _ in 0..<20 {
            try await EngineHarness(ledger: ledger, time: time, provider: provider).run { harness in
                await harness.engine.settleJobs()
            }
        }
        #expect(provider.calls == ["charge"])
        provider.setReachable(true)
        time.advance(by: 1)
        try await EngineHarness(ledger: ledger, time: time, provider: provider).run { harness in
            let state = try await harness.final(payment.id).state
            #expect(state == .purchased)
        }
        #expect(provider.calls == ["charge", "query", "charge"])
    }

    @Test func aQuestionIsCountedBeforeItIsAsked() async throws {
        let gated = GatedProvider(questions: Gate())
        gated.scripted.script("coins", [.timeOutBefore])
        try await EngineHarness(ledger: ledger, time: time, provider: gated.scripted, gated: gated).run { harness in
            defer { gated.questions.open() }
            let payment = Payment(productID: "coins")
            _ = try await harness.engine.addPayment(payment, to: EngineHarness.notes)
            while gated.questions.arrivals == 0 {
                harness.time.advance(by: 1)
                try await Task.yieldUnlessCancelled()
            }
            // The ledger that the next process would find if this one were killed now.
            let charge = try await harness.ledger.read { try $0.charges(afterKey: 0, limit: 1).first }
            #expect(charge?.attempts == 2)
            #expect(charge.map { $0.dueAt.timeIntervalSince($0.createdAt) >= 3 } == true)
        }
    }

    @Test func aChargeThatWasUnderWayIsAskedAboutAtOnceByTheNextEngine() async throws {
        let gated = GatedProvider(charges: Gate())
        let payment = Payment(productID: "coins")
        let harness = EngineHarness(ledger: ledger, time: time, provider: gated.scripted, gated: gated)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { try? await harness.engine.run() }
            _ = try? await harness.engine.addPayment(payment, to: EngineHarness.notes)
            await gated.charges.arrival()
            // It ends without the answer, like a process that is killed.
            group.cancelAll()
            while harness.engine.isServing {
                await Task.yield()
            }
            gated.charges.open()
        }
        let charge = try await ledger.read { try $0.charges(afterKey: 0, limit: 1).first }
        #expect(charge?.state == .open && charge?.attempts == 0)
        try await EngineHarness(ledger: ledger, time: time, provider: gated.scripted).run { harness in
            let state = try await harness.final(payment.id).state
            #expect(state == .purchased)
        }
        #expect(gated.scripted.charges[payment.id] == 1)
    }
}
