import FoundationEssentials
import Testing
@testable import TillEngine
import TillModel
import TillTesting

/// Charges that take long hold up no others.
@Suite(.timeLimit(.minutes(1))) struct ChargeSlotsTests {
    private static let other = QueueName(application: "org.example.other", account: EngineHarness.notes.account)

    @Test func slowChargesOfAnotherApplicationHoldUpNobody() async throws {
        let gated = GatedProvider(charges: Gate(), of: "season")
        try await EngineHarness(provider: gated.scripted, gated: gated).run { harness in
            defer { gated.charges.open() }
            for _ in 0..<300 {
                _ = try await harness.engine.addPayment(Payment(productID: "season"), to: Self.other)
            }
            let state = try await harness.buy("coins").state
            #expect(state == .purchased)
            // The account's other applications do not take all of its slots either.
            let third = QueueName(application: "org.example.third", account: EngineHarness.notes.account)
            for _ in 0..<300 {
                _ = try await harness.engine.addPayment(Payment(productID: "season"), to: third)
            }
            let account = QueueName(application: "org.example.notes", account: "uid:1001")
            let states = [try await harness.buy("coins").state, try await harness.buy("coins", in: account).state]
            #expect(states == [.purchased, .purchased])
        }
    }

    @Test func chargesThatAreAskedAboutHoldUpNoPurchase() async throws {
        let gated = GatedProvider(questions: Gate())
        gated.scripted.script("season", Array(repeating: .timeOutBefore, count: 300))
        try await EngineHarness(provider: gated.scripted, gated: gated).run { harness in
            defer { gated.questions.open() }
            for _ in 0..<300 {
                _ = try await harness.engine.addPayment(Payment(productID: "season"), to: EngineHarness.notes)
            }
            while gated.questions.arrivals < 32 {
                harness.time.advance(by: 1)
                try await Task.yieldUnlessCancelled()
            }
            let state = try await harness.buy("coins").state
            #expect(state == .purchased)
        }
    }
}
