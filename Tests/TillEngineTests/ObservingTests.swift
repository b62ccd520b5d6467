import FoundationEssentials
import Testing
@testable import TillEngine
import TillModel
import TillTesting

@Suite(.timeLimit(.minutes(10))) struct ObservingTests {
    @Test func aNewObserverGetsUnfinishedTransactionsThenTheMarkThenChanges() async throws {
        try await EngineHarness().run { harness in
            _ = try await harness.own("coins")
            let open = try await harness.buy("themes")
            let events = try await harness.events(after: nil) { events in
                if events.count == 3, events.last == .initialDeliveryEnded {
                    Task { try await harness.engine.finishTransaction(open.id, in: EngineHarness.notes) }
                }
                return events.count == 4
            }
            #expect(
                events.map(\.summary) == [
                    "initial", "updated themes purchased", "end of initial delivery", "removed themes",
                ]
            )
        }
    }

    @Test func aCursorContinuesWithoutLossOrRepetition() async throws {
        try await EngineHarness().run { harness in
            let first = try await harness.buy("coins")
            let second = try await harness.own("themes")
            let third = try await harness.buy("pro")
            let events = try await harness.events(after: first.revision) { $0.count == 2 }
            #expect(events.map(\.summary) == ["removed themes", "updated pro purchased"])
            #expect(events.compactMap { $0.transaction?.id } == [second.id, third.id])
        }
    }

    @Test(arguments: [1, 2, 3, 64])
    func batchesAndWindowsLoseNothing(batchSize: Int) async throws {
        try await EngineHarness().run { harness in
            for _ in 0..<7 {
                _ = try await harness.buy("coins")
            }
            let events = try await harness.events(after: nil, window: 1, batchSize: batchSize) {
                $0.last == .initialDeliveryEnded
            }
            let revisions = events.compactMap { $0.transaction?.revision }
            #expect(revisions.count == 7)
            #expect(revisions == revisions.sorted())
        }
    }

    @Test func changesDuringTheInitialDeliveryComeBeforeItsEnd() async throws {
        try await EngineHarness().run { harness in
            _ = try await harness.own("pro")
            _ = try await harness.buy("coins")
            _ = try await harness.restore()
            let observation = try harness.engine.observe(EngineHarness.notes, after: nil, window: 1, batchSize: 1)
            let batches = AsyncStream.makeStream(of: EventBatch.self, bufferingPolicy: .unbounded)
            await withTaskGroup(of: Void.self) { group in
                group.addTask { try? await observation.run { batches.continuation.yield($0) } }
                var events: [QueueEvent] = []
                for await batch in batches.stream {
                    if events.isEmpty {
                        // The restored transaction is restored again, and so changes, before the observer requests it.
                        _ = try? await harness.restore()
                    }
                    events += batch.events
                    observation.acknowledge(batch.revision)
                    if events.last == .initialDeliveryEnded {
                        break
                    }
                }
                #expect(
                    events.map(\.summary) == [
                        "initial", "updated coins purchased", "updated pro restored", "restore finished 1",
                        "end of initial delivery",
                    ]
                )
                group.cancelAll()
            }
        }
    }

    /// Others were given the changes page by page, before something in these was finished.
    @Test func transactionsFinishedBeforeAnObserverAttachedAreNotDelivered() async throws {
        try await EngineHarness().run { harness in
            let start = try await harness.buy("coins").revision
            var bought: [Transaction] = []
            for _ in 0..<3 {
                bought.append(try await harness.buy("coins"))
            }
            let first = try await harness.events(after: start, batchSize: 1) { $0.count == 3 }
            #expect(first.compactMap { $0.transaction?.id } == bought.map(\.id))
            _ = try await harness.engine.finishTransaction(bought[1].id, in: EngineHarness.notes)
            let second = try await harness.events(after: start, batchSize: 1) { $0.count == 3 }
            #expect(second.map(\.summary) == ["updated coins purchased", "updated coins purchased", "removed coins"])
            #expect(second.compactMap { $0.transaction?.id } == [bought[0].id, bought[2].id, bought[1].id])
        }
    }

    @Test func aWindowThatIsFullStopsTheStream() async throws {
        var window = ObserverWindow(size: 2)
        window.sent(5)
        #expect(window.hasRoom)
        window.sent(9)
        #expect(!window.hasRoom)
        window.acknowledge(4)
        #expect(!window.hasRoom)
        window.acknowledge(5)
        #expect(window.hasRoom)
        window.acknowledge(100)
        #expect(window == ObserverWindow(size: 2))
    }

    @Test(arguments: [
        (after: UInt64?.none, isInitial: true), (3, true), (5, false), (9, false), (10, true),
    ])
    func aCursorIsUsedWhileTheLogReachesBack(after: UInt64?, isInitial: Bool) {
        let queue = QueueRecord(key: 1, name: EngineHarness.notes, revision: 9, floor: 5)
        var cursor = ObserverCursor(after: after, resumesInitialDelivery: false, queue: queue)
        #expect((cursor.phase == .initial(through: 9)) == isInitial)
        let batch = cursor.advance(by: ChangePage([], limit: 64, newest: 9))
        let expected: [QueueEvent] = [.initialDeliveryStarted(isReset: after != nil), .initialDeliveryEnded]
        #expect(batch.events == (isInitial ? expected : []))
        #expect(batch.revision == (isInitial ? 9 : after))
        #expect(cursor.query == .changes(after: batch.revision))
    }

    @Test func anObserverThatIsTooSlowForTheLogRestarts() async throws {
        try await EngineHarness().run { harness in
            let start = try await harness.buy("coins").revision
            let observation = try harness.engine.observe(EngineHarness.notes, after: start, window: 1, batchSize: nil)
            let batches = AsyncStream.makeStream(of: EventBatch.self, bufferingPolicy: .unbounded)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try? await observation.run { batches.continuation.yield($0) } }
                defer { group.cancelAll() }
                var iterator = batches.stream.makeAsyncIterator()
                _ = try await harness.buy("gift")
                let first = try #require(await iterator.next())
                let newest = try await harness.appendRestoreEnds(CommandContext.eventsKept + 1)
                observation.acknowledge(first.revision)
                var events: [QueueEvent] = []
                while let batch = await iterator.next() {
                    events += batch.events
                    observation.acknowledge(batch.revision)
                    if batch.revision == newest {
                        break
                    }
                }
                let summaries = events.map(\.summary)
                #expect(summaries.prefix(3) == ["reset", "updated coins purchased", "updated gift purchased"])
                #expect(summaries.last == "end of initial delivery")
                #expect(events.count == CommandContext.eventsKept + 4)
            }
        }
    }

    @Test func aResumedInitialDeliveryIncludesTransactionsThatLeftTheQueue() async throws {
        try await EngineHarness().run { harness in
            let first = try await harness.buy("coins")
            let second = try await harness.buy("themes")
            // Lost after the first; it is finished before the observer is back.
            _ = try await harness.engine.finishTransaction(first.id, in: EngineHarness.notes)
            let events = try await harness.events(after: first.revision, resumesInitialDelivery: true, batchSize: 1) {
                $0.last == .initialDeliveryEnded
            }
            #expect(
                events.map(\.summary) == [
                    "updated themes purchased", "removed coins", "end of initial delivery",
                ]
            )
            #expect(events.first?.transaction?.id == second.id)
        }
    }

    @Test func aResumedInitialDeliveryWithNothingLeftStillEnds() async throws {
        try await EngineHarness().run { harness in
            let bought = try await harness.buy("coins")
            let events = try await harness.events(after: bought.revision, resumesInitialDelivery: true) {
                $0.last == .initialDeliveryEnded
            }
            #expect(events == [.initialDeliveryEnded])
        }
    }

    @Test func anObserverWithoutChangesGetsAHeartbeat() async throws {
        try await EngineHarness().run { harness in
            let observation = try harness.engine.observe(EngineHarness.notes, after: nil, window: nil, batchSize: nil)
            let batches = AsyncStream.makeStream(of: EventBatch.self, bufferingPolicy: .unbounded)
            await withTaskGroup(of: Void.self) { group in
                group.addTask { try? await observation.run { batches.continuation.yield($0) } }
                var iterator = batches.stream.makeAsyncIterator()
                #expect(await iterator.next()?.events.last == .initialDeliveryEnded)
                group.addTask {
                    while !Task.isCancelled {
                        harness.time.advance(by: 1)
                        await Task.yield()
                    }
                }
                #expect(await iterator.next() == EventBatch(revision: 0, events: []))
                group.cancelAll()
            }
        }
    }

    @Test func queuesDoNotSeeEachOther() async throws {
        try await EngineHarness().run { harness in
            let bought = try await harness.buy("coins")
            for other in [
                QueueName(application: "org.example.other", account: "uid:1000"),
                QueueName(application: "org.example.notes", account: "uid:1001"),
            ] {
                let events = try await harness.events(in: other, after: nil) { $0.last == .initialDeliveryEnded }
                #expect(events.count == 2)
                let list = try await harness.engine.transactions(in: other, token: 0, includeFinished: true, limit: 9)
                #expect(list.page.isEmpty)
                await expect(.notFound) { _ = try await harness.engine.finishTransaction(bought.id, in: other) }
            }
        }
    }
}

extension EngineHarness {
    /// Appends so many ends of restores to the queue; returns its revision after them.
    fileprivate func appendRestoreEnds(_ count: Int) async throws -> UInt64 {
        try await engine.commit { context in
            let queue = try context.queue(Self.notes).key
            for _ in 0..<count {
                try context.append(.restoreFinished(id: UUID(), count: 0), toQueue: queue)
            }
            return .success(try context.queue(Self.notes).revision)
        }
    }
}
