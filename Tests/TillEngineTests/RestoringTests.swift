import FoundationEssentials
import Testing
@testable import TillEngine
import TillModel
import TillTesting

@Suite struct RestoringTests {
    @Test func nonConsumablesComeBackWithTheirOriginalsAndThenTheEnd() async throws {
        try await EngineHarness().run { harness in
            let pro = try await harness.own("pro")
            let monthly = try await harness.own("monthly")
            _ = try await harness.own("coins")
            _ = try await harness.own("season")
            let events = try await harness.restore()
            #expect(
                events.map(\.summary) == [
                    "updated pro restored", "updated monthly restored", "restore finished 2",
                ]
            )
            let restored = events.compactMap(\.transaction)
            #expect(restored.compactMap { $0.original?.id } == [pro.id, monthly.id])
            #expect(restored.map { $0.original?.purchase } == [pro.purchase, monthly.purchase])
            #expect(Set(restored.map(\.id)).isDisjoint(with: [pro.id, monthly.id]))
            #expect(restored.allSatisfy { $0.purchase != nil && $0.purchase != $0.original?.purchase })
        }
    }

    @Test func nothingToRestoreEndsTheRestore() async throws {
        try await EngineHarness().run { harness in
            let value1 = try await harness.restore().map(\.summary)
            #expect(value1 == ["restore finished 0"])
        }
    }

    @Test func aRefusedRestoreFails() async throws {
        let harness = EngineHarness()
        harness.provider.refuseRestores(with: PaymentError(.paymentCancelled, "No."))
        try await harness.run { harness in
            _ = try await harness.own("pro")
            let events = try await harness.restore()
            #expect(events.map(\.summary) == ["restore failed"])
        }
    }

    @Test func anUnfinishedPurchaseIsNotRestored() async throws {
        try await EngineHarness().run { harness in
            _ = try await harness.buy("pro")
            let value2 = try await harness.restore().map(\.summary)
            #expect(value2 == ["restore finished 0"])
        }
    }

    @Test func anUnfinishedRestoredTransactionServesTheNextRestoreToo() async throws {
        try await EngineHarness().run { harness in
            _ = try await harness.own("pro")
            let first = try await harness.restore().compactMap { $0.transaction?.id }
            #expect(first.count == 1)
            let second = try await harness.restore().map(\.summary)
            #expect(second == ["restore finished 1"], "the observers have it, so that it is not delivered again")
            for id in first {
                _ = try await harness.engine.finishTransaction(id, in: EngineHarness.notes)
            }
            let third = try await harness.restore().compactMap { $0.transaction?.id }
            #expect(third.count == 1)
            #expect(third != first)
        }
    }

    @Test func theRestoredPeriodsOfASubscriptionStandForTheNextRestoreToo() async throws {
        try await EngineHarness().run { harness in
            _ = try await harness.own("monthly")
            try await harness.pass(days: 70)
            for period in try await harness.periods() {
                _ = try await harness.engine.finishTransaction(period.id, in: EngineHarness.notes)
            }
            let first = try await harness.restore()
            #expect(first.compactMap(\.transaction?.subscription).count == 3)
            let second = try await harness.restore().map(\.summary)
            #expect(second == ["restore finished 3"], "a period is restored twice")
        }
    }

    @Test func aUsernameRestrictsTheRestoreByteForByte() async throws {
        try await EngineHarness().run { harness in
            _ = try await harness.own("pro", username: "caf\u{E9}")
            _ = try await harness.own("themes", username: "cafe\u{301}")
            let events = try await harness.restore(username: "caf\u{E9}")
            #expect(events.map(\.summary) == ["updated pro restored", "restore finished 1"])
        }
    }

    @Test func theSameRestoreAgainIsTheSameRestore() async throws {
        try await EngineHarness().run { harness in
            _ = try await harness.own("pro")
            let id = UUID()
            _ = try await harness.restore(id: id)
            let again = try await harness.engine.restoreCompletedTransactions(
                id,
                applicationUsername: nil,
                in: EngineHarness.notes
            )
            #expect(again.id == id)
            #expect(again.state == .finished)
            #expect(again.count == 1)
            await expect(.alreadyExists) {
                _ = try await harness.engine.restoreCompletedTransactions(
                    id,
                    applicationUsername: "other",
                    in: EngineHarness.notes
                )
            }
        }
    }

    @Test func aSecondRestoreJoinsTheOneUnderWay() async throws {
        let harness = EngineHarness()
        // Without a running engine nothing takes the restore to its end: the ledger's row shows whom a second joins.
        let running = RestoreRecord(
            id: UUID(),
            queue: 1,
            applicationUsername: nil,
            revision: 0,
            createdAt: harness.time.now(),
            deadline: .distantFuture
        )
        let id = try await harness.ledger.commit { ledger in
            var context = CommandContext(ledger: ledger, now: harness.time.now())
            _ = try context.queue(EngineHarness.notes)
            try context.insert(running)
            return try ledger.joinableRestore(in: 1, applicationUsername: nil)?.id
        }
        #expect(id == running.id)
        try await harness.run { harness in
            let events = try await harness.events(after: 0) { $0.last?.isRestoreEnd == true }
            #expect(events == [.restoreFinished(id: running.id, count: 0)])
        }
    }

    @Test func manyPagesAreRestoredInOrderBeforeTheEnd() async throws {
        let count = 3 * Restoring.page + 5
        let harness = try await EngineHarness.owning(count)
        try await harness.run { harness in
            let events = try await harness.restore()
            #expect(events.compactMap { $0.transaction?.payment.productID } == (0..<count).map { "product\($0)" })
            #expect(events.last?.summary == "restore finished \(count)")
            #expect(events.filter(\.isRestoreEnd).count == 1)
        }
    }
}

extension QueueEvent {
    var isRestoreEnd: Bool {
        switch self {
        case .restoreFinished, .restoreFailed: true
        default: false
        }
    }
}

extension EngineHarness {
    /// Restores, and returns the events up to the end of the restore.
    func restore(id: UUID = UUID(), username: String? = nil) async throws -> [QueueEvent] {
        let status = try await engine.restoreCompletedTransactions(
            id,
            applicationUsername: username,
            in: Self.notes
        )
        return try await events(after: status.revision) { $0.last?.isRestoreEnd == true }
    }
}
