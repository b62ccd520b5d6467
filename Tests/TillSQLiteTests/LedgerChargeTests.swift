import FoundationEssentials
import TillEngine
import TillModel
import Testing

@Suite("Every ledger: charges and events")
struct LedgerChargeTests {
    @Test(arguments: LedgerKind.allCases)
    func transactionHasOneCharge(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let queue = try await ledger.makeQueue()
            let record = try await ledger.insert(.sample(queue, revision: 1))
            let charge = ChargeRecord.sample(queue, record.key)
            try await ledger.commit { try $0.insert(charge) }
            #expect(try await ledger.read { try $0.charge(forTransaction: record.key) } == charge)
            #expect(try await ledger.read { try $0.charge(forTransaction: 77) } == nil)
            let error = await #expect(throws: TillError.self) { try await ledger.commit { try $0.insert(charge) } }
            #expect(error?.code == .alreadyExists)
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func updateOfAChargeReplacesWhatMayChange(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let queue = try await ledger.makeQueue()
            let record = try await ledger.insert(.sample(queue, revision: 1))
            let charge = ChargeRecord.sample(queue, record.key, state: .waiting)
            try await ledger.commit { try $0.insert(charge) }
            for state in ChargeRecord.State.allCases {
                var expected = charge
                expected.state = state
                expected.attempts = state.rawValue + 1
                expected.dueAt = time(state.rawValue * 100)
                expected.reference = state == .succeeded ? "ch_1" : nil
                var update = expected
                update.request.amount = 1
                update.createdAt = time(77)
                let sent = update
                try await ledger.commit { try $0.update(sent) }
                #expect(try await ledger.read { try $0.charge(forTransaction: record.key) } == expected)
            }
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func dueChargesAreOpenOnesTheLongestDueFirst(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let queue = try await ledger.makeQueue()
            let dues = [50, 10, 30, 20, 10]
            let keys = try await ledger.insert(dues.indices.map { .sample(queue, revision: UInt64($0)) }).map(\.key)
            let charges = zip(keys, dues).map { ChargeRecord.sample(queue, $0, due: $1) }
            try await ledger.commit { writer in try charges.forEach(writer.insert) }
            var ended = charges[3]
            ended.state = .declined
            let update = ended
            try await ledger.commit { try $0.update(update) }
            try await ledger.read { reader throws in
                #expect(try reader.dueCharges(at: time(9), limit: 9).isEmpty)
                #expect(try reader.dueCharges(at: time(10), limit: 9) == [charges[1], charges[4]])
                #expect(try reader.dueCharges(at: time(49), limit: 9) == [charges[1], charges[4], charges[2]])
                #expect(try reader.dueCharges(at: time(50), limit: 2) == [charges[1], charges[4]])
                #expect(try reader.dueCharges(at: time(50), limit: 9).count == 4)
                #expect(try reader.dueCharges(at: time(50), limit: -1).isEmpty)
                #expect(try reader.nextChargeDue() == time(10))
            }
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func nextChargeDueIsNilWithoutOpenCharges(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            #expect(try await ledger.read { try $0.nextChargeDue() } == nil)
            let queue = try await ledger.makeQueue()
            for state in ChargeRecord.State.allCases where state != .open {
                let record = try await ledger.insert(.sample(queue, revision: UInt64(state.rawValue)))
                try await ledger.commit { try $0.insert(.sample(queue, record.key, state: state)) }
            }
            #expect(try await ledger.read { try $0.nextChargeDue() } == nil)
            #expect(try await ledger.read { try $0.dueCharges(at: .distantFuture, limit: 9) }.isEmpty)
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func openChargesAreUnsettledOnesOfTheProductByKey(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let queue = try await ledger.makeQueue()
            let other = try await ledger.makeQueue(QueueName(application: "other", account: "a"))
            let rows: [(Int64, String, ChargeRecord.State)] = [
                (queue, "pro", .waiting), (queue, "coin", .open), (other, "pro", .open), (queue, "pro", .succeeded),
                (queue, "pro", .open), (queue, "pro", .needsReview), (queue, "pro", .unneeded),
            ]
            let keys = try await ledger.insert(
                rows.enumerated().map { .sample($1.0, revision: UInt64($0), product: $1.1) }
            ).map(\.key)
            let charges = zip(rows, keys).map { row, key in
                ChargeRecord.sample(row.0, key, product: row.1, state: row.2, due: Int(-key))
            }
            try await ledger.commit { writer in try charges.forEach(writer.insert) }
            #expect(try await ledger.read { try $0.openCharges(for: "pro", in: queue) } == [charges[0], charges[4]])
            #expect(try await ledger.read { try $0.openCharges(for: "none", in: queue) }.isEmpty)
            try await ledger.read { reader throws in
                #expect(try reader.charges(afterKey: 0, limit: 99) == charges)
                #expect(try reader.charges(afterKey: keys[1], limit: 2) == Array(charges[2..<4]))
                #expect(try reader.charges(afterKey: 0, limit: -1).isEmpty)
            }
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func eventsOfAQueueComeByRevision(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let queue = try await ledger.makeQueue()
            let other = try await ledger.makeQueue(QueueName(application: "other", account: "a"))
            let error = PaymentError(.cloudServiceNetworkConnectionFailed, "Nobody.", moneyMoved: .unknown)
            let events = [
                EventRecord(queue: queue, revision: 9, kind: .restoreFinished(id: .version7(), count: 4)),
                EventRecord(queue: queue, revision: 3, kind: .restoreFailed(id: .version7(), error: error)),
                EventRecord(queue: other, revision: 3, kind: .restoreFinished(id: .version7(), count: 0)),
                EventRecord(queue: queue, revision: 6, kind: .restoreFinished(id: .version7(), count: 0)),
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
    func pruningKeepsTheNewestEventsAndRaisesTheFloor(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let queue = try await ledger.makeQueue()
            let other = try await ledger.makeQueue(QueueName(application: "other", account: "a"))
            let events = [queue, other].flatMap { queue in
                [2, 4, 6, 8].map {
                    EventRecord(queue: queue, revision: $0, kind: .restoreFinished(id: UUID(), count: 0))
                }
            }
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
            let late = EventRecord(queue: queue, revision: 5, kind: .restoreFinished(id: UUID(), count: 0))
            try await ledger.commit { writer in
                try writer.insert(late)
                try writer.pruneEvents(ofQueue: queue, keeping: 0)
            }
            #expect(try await ledger.read { try $0.queue(key: queue)?.floor } == 8, "a floor never falls")
        }
    }
}
