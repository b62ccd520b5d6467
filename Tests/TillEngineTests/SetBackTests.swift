import FoundationEssentials
import Testing
import TillEngine
import TillModel
import TillTesting

/// What was to be done at a date is done although the clock was set back from it.
@Suite struct SetBackTests {
    private static let year: TimeInterval = 365 * 86400

    @Test(arguments: [600, 3000, 10 * year])
    func aChargeIsAskedAboutAgainAsSoonAsBefore(seconds: TimeInterval) async throws {
        let harness = EngineHarness()
        harness.provider.script("coins", [.timeOutAfter])
        try await harness.run { harness in
            let payment = Payment(productID: "coins")
            _ = try await harness.engine.addPayment(payment, to: EngineHarness.notes)
            while try await harness.ledger.read({ try $0.charges(afterKey: 0, limit: 1).first?.attempts }) != 1 {
                await Task.yield()
            }
            harness.time.setBack(by: seconds)
            let start = harness.time.now()
            try await harness.advance(until: payment.id)
            #expect(harness.time.now().timeIntervalSince(start) < 120)
            let final = try await harness.final(payment.id)
            #expect(final.state == .purchased)
            #expect(harness.provider.charges == [payment.id: 1])
        }
    }

    @Test func aWaitForAPersonBeginsAnew() async throws {
        try await EngineHarness().run { harness in
            let payment = Payment(productID: "coins", simulatesAskToBuyInSandbox: true)
            let added = try await harness.engine.addPayment(payment, to: EngineHarness.notes)
            #expect(added.state == .deferred)
            harness.time.setBack(by: 10 * Self.year)
            let longest = harness.time.now().addingTimeInterval(24 * 3600)
            var deadline = added.deadline
            while deadline.map({ $0 > longest.addingTimeInterval(60) }) ?? true {
                harness.time.advance(by: 1)
                await Task.yield()
                deadline = try await harness.ledger.read { try $0.transaction(payment.id)?.deadline }
            }
            harness.time.advance(by: 24 * 3600)
            try await harness.advance(until: payment.id)
            let final = try await harness.final(payment.id)
            #expect(final.error?.reason == .expired)
        }
    }
}
