import FoundationEssentials
import NIOConcurrencyHelpers
import Testing
import TillEngine
import TillMemoryLedger
import TillModel
import TillTesting

/// Work that was due at a date is done although the clock was set back from it.
@Suite(.timeLimit(.minutes(10))) struct SetBackTests {
    private static let year: TimeInterval = 365 * 86400
    /// The time in which it has to be noticed that the clock was set back, and far below any year.
    private static let patience: TimeInterval = 100_000

    @Test(arguments: [600, 3000, 10 * year])
    func aChargeIsAskedAboutAgainAsSoonAsBefore(seconds: TimeInterval) async throws {
        let harness = EngineHarness()
        harness.provider.script("coins", [.timeOutAfter])
        try await harness.run { harness in
            let payment = Payment(productID: "coins")
            _ = try await harness.engine.addPayment(payment, to: EngineHarness.notes)
            while try await harness.ledger.read({ try $0.charges(afterKey: 0, limit: 1).first?.attempts }) != 1 {
                try await Task.yieldUnlessCancelled()
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

    @Test func aWaitForAPersonBeginsAgain() async throws {
        try await EngineHarness().run { harness in
            let payment = Payment(productID: "coins", simulatesAskToBuyInSandbox: true)
            let added = try await harness.engine.addPayment(payment, to: EngineHarness.notes)
            #expect(added.state == .deferred)
            let before = harness.time.now()
            harness.time.setBack(by: 10 * Self.year)
            let setBack = harness.time.now()
            var deadline = added.deadline
            while deadline == added.deadline, harness.time.now().timeIntervalSince(setBack) < Self.patience {
                harness.time.advance(by: 1)
                try await Task.yieldUnlessCancelled()
                deadline = try await harness.ledger.read { try $0.transaction(payment.id)?.deadline }
            }
            try #require(deadline.map { $0 < before } ?? false, "it waits until \(deadline as Date?)")
            harness.time.advance(by: 24 * 3600)
            try await harness.advance(until: payment.id)
            let final = try await harness.final(payment.id)
            #expect(final.error?.reason == .expired)
        }
    }

    @Test func aDownloadLastsNoLongerThanItMay() async throws {
        let ledger = MemoryLedger()
        let time = VirtualTime()
        let configure: (inout EngineConfiguration) -> Void = { $0.downloadDeadline = .seconds(60) }
        let started = NIOLockedValueBox<UUID?>(nil)
        try await EngineHarness.hosting(ledger: ledger, time: time, configure: configure).run { harness in
            let bought = try await harness.buy("pro")
            _ = try await harness.control(.start, bought.downloads)
            started.withLockedValue { $0 = bought.downloads[0].id }
        }
        let download = try #require(started.withLockedValue { $0 })
        time.setBack(by: 10 * Self.year)
        let setBack = time.now()
        try await EngineHarness.hosting(ledger: ledger, time: time, configure: configure).run { harness in
            await harness.downloader.wait { $0.isRunning(download) }
            while try await harness.downloads().first?.state == .active,
                harness.time.now().timeIntervalSince(setBack) < Self.patience
            {
                harness.time.advance(by: 1)
                try await Task.yieldUnlessCancelled()
            }
            #expect(try await harness.downloads().first?.error?.reason == .expired)
        }
    }
}
