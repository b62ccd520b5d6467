import FoundationEssentials
import Testing
@testable import TillEngine
import TillModel
import TillTesting

/// A restore as a job: its total, its progress, its end by others.
@Suite struct RestoreJobTests {
    /// A restore in the ledger after the daemon was killed after so many transactions.
    private static func interrupted(_ harness: EngineHarness, after count: Int, of total: Int) async throws -> UUID {
        let id = UUID()
        try await harness.ledger.commit { ledger in
            var context = CommandContext(ledger: ledger, now: harness.time.now())
            let queue = try context.queue(EngineHarness.notes)
            try context.insert(
                RestoreRecord(
                    id: id,
                    queue: queue.key,
                    applicationUsername: nil,
                    revision: queue.revision,
                    cursor: Int64(count),
                    count: count,
                    total: total,
                    createdAt: context.now,
                    deadline: context.now.addingTimeInterval(10)
                )
            )
        }
        return id
    }

    @Test func aRestoreSaysHowManyThereAreAndHowManyCame() async throws {
        let harness = try await EngineHarness.owning(70)
        let id = UUID()
        try await harness.run { harness in
            let begun = try await harness.engine.restoreCompletedTransactions(
                id,
                applicationUsername: nil,
                in: EngineHarness.notes
            )
            #expect(begun.total == 70)
            _ = try await harness.events(after: begun.revision) { $0.last?.isRestoreEnd == true }
            let ended = try await harness.engine.restoreStatus(id, in: EngineHarness.notes)
            #expect(ended.state == .finished)
            #expect(ended.count == 70)
            #expect(ended.total == 70)
        }
    }

    @Test func aRestoreContinuesWhereAKilledDaemonLeftIt() async throws {
        let harness = try await EngineHarness.owning(100)
        _ = try await Self.interrupted(harness, after: 64, of: 100)
        try await harness.run { harness in
            let events = try await harness.events(after: 100) { $0.last?.isRestoreEnd == true }
            #expect(events.compactMap { $0.transaction?.payment.productID } == (64..<100).map { "product\($0)" })
            #expect(events.last?.summary == "restore finished 100")
        }
    }

    @Test func aRestoreThatGotNoFurtherInTimeFails() async throws {
        let harness = try await EngineHarness.owning(100)
        let id = try await Self.interrupted(harness, after: 64, of: 100)
        harness.time.advance(by: 10)
        try await harness.run { harness in
            let events = try await harness.events(after: 100) { $0.last?.isRestoreEnd == true }
            #expect(events.map(\.summary) == ["restore failed"])
            let status = try await harness.engine.restoreStatus(id, in: EngineHarness.notes)
            #expect(status.state == .failed)
            #expect(status.error?.reason == .expired)
            #expect(status.count == 64)
        }
    }

    @Test func aRestoreThatIsCancelledFailsOnceAndKeepsWhatCame() async throws {
        let provider = GatedProvider(restores: Gate())
        let time = VirtualTime()
        let harness = EngineHarness(time: time, provider: provider.scripted, gated: provider)
        try await harness.run { harness in
            _ = try await harness.own("pro")
            let id = UUID()
            let begun = try await harness.engine.restoreCompletedTransactions(
                id,
                applicationUsername: nil,
                in: EngineHarness.notes
            )
            #expect(begun.state == .running)
            let cancelled = try await harness.engine.cancelRestore(id, in: EngineHarness.notes)
            #expect(cancelled.state == .failed)
            #expect(cancelled.error?.reason == .stopped)
            let again = try await harness.engine.cancelRestore(id, in: EngineHarness.notes)
            #expect(again == cancelled)
            provider.restores.open()
            let next = try await harness.restore()
            #expect(next.map(\.summary) == ["updated pro restored", "restore finished 1"])
            let all = try await harness.events(after: begun.revision) { $0.filter(\.isRestoreEnd).count == 2 }
            #expect(all.map(\.summary) == ["restore failed", "updated pro restored", "restore finished 1"])
        }
    }

    /// Two calls to restore, the second of which joins the first while the store holds both.
    private static func joining(
        _ body: @escaping @Sendable (EngineHarness, GatedProvider, _ first: UUID, _ second: UUID) async throws -> Void
    ) async throws {
        let provider = GatedProvider(restores: Gate())
        let harness = EngineHarness(provider: provider.scripted, gated: provider)
        try await harness.run { harness in
            defer { provider.restores.open() }
            _ = try await harness.own("pro")
            let (first, second) = (UUID(), UUID())
            for id in [first, second] {
                let begun = try await harness.begin(id)
                #expect(begun.id == first && begun.state == .running)
            }
            try await body(harness, provider, first, second)
        }
    }

    @Test func aRestoreThatJoinedAnotherIsKnownUnderItsOwnIdentity() async throws {
        try await Self.joining { harness, provider, first, second in
            #expect(try await harness.engine.restoreStatus(second, in: EngineHarness.notes).id == first)
            await expect(.alreadyExists) { _ = try await harness.begin(second, username: "other") }
            let other = QueueName(application: "org.example.other", account: "uid:1000")
            await expect(.alreadyExists) { _ = try await harness.begin(second, in: other) }
            await expect(.notFound) { _ = try await harness.engine.restoreStatus(second, in: other) }
            provider.restores.open()
            _ = try await harness.events(after: 0) { $0.last?.isRestoreEnd == true }
            let ended = try await harness.engine.restoreStatus(second, in: EngineHarness.notes)
            #expect(ended.id == first && ended.state == .finished && ended.count == 1)
            // A call whose answer was lost is repeated, and begins no other restore.
            #expect(try await harness.begin(second) == ended)
            #expect(try await harness.begin(first) == ended)
        }
    }

    @Test func aRestoreThatWasJoinedIsCancelledUnderEitherIdentity() async throws {
        try await Self.joining { harness, _, first, second in
            let cancelled = try await harness.engine.cancelRestore(second, in: EngineHarness.notes)
            #expect(cancelled.id == first && cancelled.state == .failed && cancelled.error?.reason == .stopped)
            #expect(try await harness.engine.restoreStatus(first, in: EngineHarness.notes) == cancelled)
        }
    }

    @Test func aRestoreThatHasBroughtPurchasesIsNotJoined() async throws {
        let provider = GatedProvider(restores: Gate())
        let harness = try await EngineHarness.owning(2, provider: provider)
        let first = try await Self.interrupted(harness, after: 1, of: 2)
        try await harness.run { harness in
            defer { provider.restores.open() }
            let second = try await harness.begin(UUID())
            #expect(second.id != first && second.state == .running)
            provider.restores.open()
            let events = try await harness.events(after: 2) { $0.filter(\.isRestoreEnd).count == 2 }
            #expect(Set(events.compactMap { $0.transaction?.payment.productID }) == ["product0", "product1"])
            #expect(try await harness.engine.restoreStatus(second.id, in: EngineHarness.notes).count == 2)
        }
    }

    @Test func aRestoreOfAnotherQueueIsNotFound() async throws {
        try await EngineHarness().run { harness in
            let id = UUID()
            _ = try await harness.restore(id: id)
            let other = QueueName(application: "org.example.other", account: "uid:1000")
            await expect(.notFound) { _ = try await harness.engine.restoreStatus(id, in: other) }
            await expect(.notFound) { _ = try await harness.engine.cancelRestore(id, in: other) }
            await expect(.notFound) { _ = try await harness.engine.restoreStatus(UUID(), in: EngineHarness.notes) }
        }
    }
}

extension EngineHarness {
    fileprivate func begin(
        _ id: UUID,
        username: String? = nil,
        in name: QueueName = notes
    ) async throws -> RestoreStatus {
        try await engine.restoreCompletedTransactions(id, applicationUsername: username, in: name)
    }
}
