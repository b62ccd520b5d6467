import FoundationEssentials
import Testing
@testable import TillEngine
import TillMemoryLedger
import TillModel
import TillTesting

@Suite struct ClockTests {
    private static let by = StoreHarness.operators

    @Test func theClockIsAdvancedForGood() async throws {
        let ledger = MemoryLedger()
        let base = VirtualTime()
        try await StoreHarness(ledger: ledger, base: base).run { harness in
            let start = harness.engine.clock()
            #expect(start.isAdjustable)
            let reading = try await harness.engine.advanceClock(by: .seconds(30 * 86400), by: Self.by)
            #expect(reading.offset == .seconds(30 * 86400))
            #expect(reading.now == start.now.addingTimeInterval(30 * 86400))
        }
        let harness = StoreHarness(ledger: ledger, base: base)
        try await harness.engine.loadSettings()
        #expect(harness.engine.clock().offset == .seconds(30 * 86400))
        #expect(harness.engine.clock().now == base.now().addingTimeInterval(30 * 86400))
    }

    @Test func everythingDueByThenIsDoneWhenItReturns() async throws {
        try await StoreHarness().run { harness in
            _ = try await harness.engine.changeSettings(["ask-to-buy": "true"], resetAll: false, by: Self.by)
            var payments: [Payment] = []
            for _ in 0..<200 {
                let payment = Payment(productID: "coins")
                _ = try await harness.engine.addPayment(payment, to: EngineHarness.notes)
                payments.append(payment)
            }
            _ = try await harness.engine.advanceClock(by: .seconds(86400), by: Self.by)
            let ids = payments.map(\.id)
            let states = try await harness.ledger.read { ledger in try ids.map { try ledger.transaction($0)?.state } }
            #expect(states.allSatisfy { $0 == .failed })
        }
    }

    @Test func aStoppedAdvanceDoesNotReportThatAllIsDone() async throws {
        try await StoreHarness().run { harness in
            let gate = Gate()
            let stopped = Task {
                await gate.pass()
                try await harness.engine.settleDue()
            }
            stopped.cancel()
            gate.open()
            await expect(.unavailable) { try await stopped.value }
        }
    }

    /// From 2027 on for a year, and for twenty: past 2035 and 2038.
    @Test(arguments: [(365, 13), (1825, 60), (7300, 240)], [false, true])
    func yearsOfASubscriptionPassInOneCall(span: (days: Int, periods: Int), acknowledgesLate: Bool) async throws {
        try await StoreHarness(acknowledgesLate: acknowledgesLate).run { harness in
            let payment = Payment(productID: "monthly")
            _ = try await harness.engine.addPayment(payment, to: EngineHarness.notes)
            _ = try await harness.engine.advanceClock(by: .seconds(span.days * 86400), by: Self.by)
            let periods = try await harness.periods(of: payment)
            #expect(periods == span.periods)
            #expect(harness.provider.scripted.charges.values.reduce(0, +) == periods)
            let status = try await harness.engine.subscriptions(in: EngineHarness.notes, token: 0, limit: 2).page
            #expect(status.map(\.state) == [.subscribed])
        }
    }

    @Test func chargesThatWaitForAnAnswerAreAskedAbout() async throws {
        let harness = StoreHarness()
        harness.provider.scripted.script("coins", [.timeOutAfter])
        try await harness.run { harness in
            let payment = Payment(productID: "coins")
            _ = try await harness.engine.addPayment(payment, to: EngineHarness.notes)
            await harness.engine.settleJobs()
            _ = try await harness.engine.advanceClock(by: .seconds(60), by: Self.by)
            let state = try await harness.ledger.read { try $0.transaction(payment.id)?.state }
            #expect(state == .purchased)
        }
    }

    /// At the new time, a refund whose answer is lost could be too old to be repeated.
    @Test func anAdvanceWaitsForRefundsUnderWay() async throws {
        let refunds = Gate()
        try await StoreHarness(provider: AdjustableScript(refunds: refunds)).run { harness in
            let payment = Payment(productID: "coins")
            _ = try await harness.engine.addPayment(payment, to: EngineHarness.notes)
            await harness.engine.settleJobs()
            let refund = Task {
                try await harness.engine.refund(RefundOrder(transactionID: payment.id), by: Self.by).0
            }
            await refunds.arrival()
            let advance = Task { try await harness.engine.advanceClock(by: .seconds(86400), by: Self.by) }
            for _ in 0..<300 where harness.engine.clock().offset == .zero {
                try await Task.yieldUnlessCancelled()
            }
            #expect(harness.engine.clock().offset == .zero)
            refunds.open()
            #expect(try await refund.value.state == .succeeded)
            #expect(try await advance.value.offset == .seconds(86400))
        }
    }

    @Test func aRowThatCannotBeDoneDoesNotHoldTheClock() async throws {
        try await StoreHarness().run { harness in
            let payment = Payment(productID: "coins")
            _ = try await harness.engine.addPayment(payment, to: EngineHarness.notes)
            await harness.engine.settleJobs()
            try await harness.insertRefundWithoutCharge(of: payment.id)
            _ = try await harness.engine.advanceClock(by: .seconds(60), by: Self.by)
            #expect(harness.engine.clock().offset == .seconds(60))
        }
    }

    @Test(arguments: [Duration.zero, .seconds(-1), .seconds(21 * 366 * 86400)])
    func theClockGoesForwardsAndNotTooFar(duration: Duration) async throws {
        try await StoreHarness().run { harness in
            await expect(.invalidArgument) { _ = try await harness.engine.advanceClock(by: duration, by: Self.by) }
            #expect(harness.engine.clock().offset == .zero)
        }
    }

    @Test func anAdvanceMakesOnlySoManyRenewals() async throws {
        try await StoreHarness().run { harness in
            _ = try await harness.engine.changeSettings(["time-rate": "1005"], resetAll: false, by: Self.by)
            _ = try await harness.engine.addPayment(Payment(productID: "monthly"), to: EngineHarness.notes)
            let bought = try await harness.engine.advanceClock(by: .seconds(1), by: Self.by)
            let error = await expect(.invalidArgument) {
                _ = try await harness.engine.advanceClock(by: .seconds(40 * 86400), by: Self.by)
            }
            #expect(error?.message.contains("advance in smaller steps") == true)
            #expect(harness.engine.clock().offset == bought.offset)
            _ = try await harness.engine.advanceClock(by: .seconds(60), by: Self.by)
        }
    }

    @Test func twoHundredYearsAreTheEnd() async throws {
        try await StoreHarness().run { harness in
            for _ in 0..<10 {
                _ = try await harness.engine.advanceClock(by: ClockReading.advanceMaximum, by: Self.by)
            }
            await expect(.failedPrecondition) {
                _ = try await harness.engine.advanceClock(by: .seconds(1), by: Self.by)
            }
        }
    }

    @Test func theMachinesClockIsLeftAlone() async throws {
        try await EngineHarness().run { harness in
            #expect(!harness.engine.clock().isAdjustable)
            await expect(.failedPrecondition) {
                _ = try await harness.engine.advanceClock(by: .seconds(1), by: Self.by)
            }
        }
    }
}

extension StoreHarness {
    /// A refund that is due and can never be sent.
    fileprivate func insertRefundWithoutCharge(of id: UUID) async throws {
        let now = base.now()
        try await engine.commit { context in
            guard let bought = try context.ledger.transaction(id) else {
                return .success(())
            }
            var free = bought
            free.key = 0
            free.revision = 0
            free.id = UUID()
            let stored = try context.save(free)
            try context.ledger.insert(
                RefundRecord(
                    id: UUID(),
                    transactionKey: stored.key,
                    queue: stored.queue,
                    quantity: 1,
                    amount: 1,
                    currency: "USD",
                    reason: .other,
                    createdAt: now,
                    dueAt: now
                )
            )
            return .success(())
        }
    }
}
