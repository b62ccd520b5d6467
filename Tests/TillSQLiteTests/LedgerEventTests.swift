import FoundationEssentials
import TillEngine
import TillModel
import Testing

@Suite("Every ledger: events, and pending ones until they are acknowledged")
struct LedgerEventTests {
    @Test(arguments: LedgerKind.allCases)
    func eventsOfAQueueComeByRevision(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let queue = try await ledger.makeQueue()
            let other = try await ledger.makeQueue(QueueName(application: "other", account: "a"))
            let events = [
                EventRecord.restored(queue, 9), .restored(queue, 3), .restored(other, 3), .restored(queue, 6),
            ]
            try await ledger.commit { writer in try events.forEach(writer.insert) }
            let expected = [events[1], events[3], events[0]]
            try await ledger.read { reader throws in
                #expect(try reader.events(in: queue, after: 0, limit: 9) == expected)
                #expect(try reader.events(in: queue, after: 3, limit: 1) == [events[3]])
                #expect(try reader.events(in: queue, after: 9, limit: 9).isEmpty)
                #expect(try reader.events(in: queue, after: .max, limit: 9).isEmpty)
                #expect(try reader.events(in: queue, after: 0, limit: -1).isEmpty)
                #expect(try reader.events(in: other, after: 0, limit: 9) == [events[2]])
            }
            let refusal = await #expect(throws: TillError.self) { try await ledger.commit { try $0.insert(events[0]) } }
            #expect(refusal?.code == .alreadyExists)
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func pendingEventsComeByRevisionWithinTheRange(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let queue = try await ledger.makeQueue()
            let other = try await ledger.makeQueue(QueueName(application: "other", account: "a"))
            let events = [
                EventRecord.restored(queue, 9, isPending: true), .restored(queue, 3, isPending: true),
                .restored(other, 3, isPending: true), .restored(queue, 6), .restored(queue, 7, isPending: true),
            ]
            try await ledger.commit { writer in try events.forEach(writer.insert) }
            try await ledger.read { reader throws in
                func pending(_ range: ClosedRange<UInt64>, _ limit: Int = 9) throws -> [EventRecord] {
                    try reader.pendingEvents(in: queue, revisions: range, limit: limit)
                }
                #expect(try pending(0...UInt64.max) == [events[1], events[4], events[0]])
                #expect(try pending(3...7) == [events[1], events[4]])
                #expect(try pending(4...8) == [events[4]])
                #expect(try pending(4...6).isEmpty)
                #expect(try pending(0...UInt64.max, 1) == [events[1]])
                #expect(try pending(0...UInt64.max, -1).isEmpty)
                #expect(try reader.events(in: queue, after: 0, limit: 9).map(\.revision) == [3, 6, 7, 9])
            }
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func acknowledgementEndsThePendingUpToItsRevisionAndChangesNothingElse(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let queue = try await ledger.makeQueue()
            let other = try await ledger.makeQueue(QueueName(application: "other", account: "a"))
            let records = try await ledger.insert([2, 4, 6].map { .revoked(queue, $0) } + [.revoked(other, 2)])
            let events = [(queue, 3), (queue, 5), (other, 3)].map { EventRecord.restored($0, $1, isPending: true) }
            try await ledger.commit { writer in
                try events.forEach(writer.insert)
                try writer.acknowledge(4, inQueue: queue)
                try writer.acknowledge(9, inQueue: 77)
            }
            var acknowledged = records
            acknowledged[0].isRevocationPending = false
            acknowledged[1].isRevocationPending = false
            var event = events[0]
            event.isPending = false
            let (expected, ended) = (acknowledged, event)
            try await ledger.read { reader throws in
                let changes = try reader.transactions(in: queue, changedAfter: 0, limit: 9)
                #expect(changes == Array(expected[..<3]))
                #expect(try reader.transaction(key: expected[3].key) == expected[3])
                #expect(try reader.events(in: queue, after: 0, limit: 9) == [ended, events[1]])
                #expect(try reader.events(in: other, after: 0, limit: 9) == [events[2]])
                let delivered = try reader.deliverableTransactions(in: queue, revisions: 0...99, limit: 9)
                #expect(delivered == [expected[2]], "finished, and all but one acknowledged")
                #expect(try reader.pendingEvents(in: queue, revisions: 0...99, limit: 9) == [events[1]])
            }
            try await ledger.commit { try $0.acknowledge(.max, inQueue: queue) }
            try await ledger.read { reader throws in
                #expect(try reader.deliverableTransactions(in: queue, revisions: 0...99, limit: 9).isEmpty)
                #expect(try reader.pendingEvents(in: queue, revisions: 0...99, limit: 9).isEmpty)
                #expect(try reader.queue(key: queue)?.revision == 0)
            }
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func pruningKeepsTheNewestEventsAndRaisesTheFloor(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let queue = try await ledger.makeQueue()
            let other = try await ledger.makeQueue(QueueName(application: "other", account: "a"))
            let events = [queue, other].flatMap { queue in [2, 4, 6, 8].map { EventRecord.restored(queue, $0) } }
            try await ledger.commit { writer in try events.forEach(writer.insert) }
            let steps: [(keeping: Int, revisions: [UInt64], floor: UInt64)] = [
                (9, [2, 4, 6, 8], 0), (4, [2, 4, 6, 8], 0), (3, [4, 6, 8], 2), (1, [8], 6), (1, [8], 6), (0, [], 8),
            ]
            for step in steps {
                try await ledger.commit { try $0.pruneEvents(ofQueue: queue, keeping: step.keeping) }
                try await ledger.read { reader throws in
                    #expect(try reader.events(in: queue, after: 0, limit: 9).map(\.revision) == step.revisions)
                    #expect(try reader.queue(key: queue)?.floor == step.floor)
                    #expect(try reader.events(in: other, after: 0, limit: 9).count == 4)
                    #expect(try reader.queue(key: other)?.floor == 0)
                }
            }
            try await ledger.commit { writer in
                try writer.insert(EventRecord.restored(queue, 5))
                try writer.pruneEvents(ofQueue: queue, keeping: 0)
            }
            #expect(try await ledger.read { try $0.queue(key: queue)?.floor } == 8, "a floor never falls")
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func pruningKeepsPendingEventsAndTheFloorIsTheNewestPruned(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let queue = try await ledger.makeQueue()
            let pending: Set<UInt64> = [2, 6, 8]
            let events = [2, 4, 6, 8, 10].map { EventRecord.restored(queue, $0, isPending: pending.contains($0)) }
            try await ledger.commit { writer in try events.forEach(writer.insert) }
            let steps: [(acknowledged: UInt64, keeping: Int, revisions: [UInt64], floor: UInt64)] = [
                (0, 1, [2, 6, 8, 10], 4), (0, 1, [2, 6, 8, 10], 4), (2, 1, [6, 8, 10], 4), (7, 1, [8, 10], 6),
                (7, 0, [8], 10), (9, 0, [], 10),
            ]
            for step in steps {
                try await ledger.commit { writer in
                    try writer.acknowledge(step.acknowledged, inQueue: queue)
                    try writer.pruneEvents(ofQueue: queue, keeping: step.keeping)
                }
                try await ledger.read { reader throws in
                    #expect(try reader.events(in: queue, after: 0, limit: 9).map(\.revision) == step.revisions)
                    #expect(try reader.queue(key: queue)?.floor == step.floor, "\(step)")
                }
            }
        }
    }
}

extension EventRecord {
    fileprivate static func restored(_ queue: Int64, _ revision: UInt64, isPending: Bool = false) -> EventRecord {
        EventRecord(
            queue: queue,
            revision: revision,
            kind: .restoreFinished(id: .version7(), count: Int(revision)),
            isPending: isPending
        )
    }
}

extension TransactionRecord {
    fileprivate static func revoked(_ queue: Int64, _ revision: UInt64) -> TransactionRecord {
        var record = sample(queue, revision: revision, state: .purchased, finishedAt: time(9))
        record.revocation = Revocation(date: time(10), reason: .other, quantity: 1)
        record.isRevocationPending = true
        return record
    }
}
