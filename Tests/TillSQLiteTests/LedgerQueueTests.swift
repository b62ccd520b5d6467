import TillEngine
import TillModel
import Testing

@Suite("Every ledger: queues and commits")
struct LedgerQueueTests {
    @Test(arguments: LedgerKind.allCases)
    func queueIsFoundByNameAndByKey(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let created = try await ledger.change { try $0.createQueue(someQueue) }
            #expect(created == QueueRecord(key: created.key, name: someQueue, revision: 0, floor: 0))
            let (byName, byKey) = try await ledger.read { (try $0.queue(someQueue), try $0.queue(key: created.key)) }
            #expect(byName == created)
            #expect(byKey == created)
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func queueThatIsNotThereIsNil(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            _ = try await ledger.makeQueue()
            let strangers = [
                QueueName(application: someQueue.application, account: "uid:1001"),
                QueueName(application: "org.example.other", account: someQueue.account),
                QueueName(application: "ORG.example.notes", account: someQueue.account),
            ]
            let found = try await ledger.read { reader in try strangers.compactMap { try reader.queue($0) } }
            #expect(found.isEmpty)
            #expect(try await ledger.read { try $0.queue(key: 99) } == nil)
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func queuesComeByKeyInPages(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let created = try await ledger.change { writer in
                try (0..<5).map { try writer.createQueue(QueueName(application: "app \(9 - $0)", account: "a")) }
            }
            try await ledger.read { reader throws in
                #expect(try reader.queues(afterKey: 0, limit: 99) == created)
                #expect(try reader.queues(afterKey: created[1].key, limit: 2) == Array(created[2..<4]))
                #expect(try reader.queues(afterKey: created[4].key, limit: 9).isEmpty)
                #expect(try reader.queues(afterKey: 0, limit: -1).isEmpty)
            }
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func queueIsMadeOnce(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            _ = try await ledger.makeQueue()
            let error = await #expect(throws: TillError.self) { try await ledger.makeQueue() }
            #expect(error?.code == .alreadyExists)
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func queueNamesAreComparedAsBytes(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let names = ["caf\u{E9}", "cafe\u{301}"].map { QueueName(application: $0, account: "a") }
            let composed = try await ledger.makeQueue(names[0])
            let decomposed = try await ledger.makeQueue(names[1])
            #expect(composed != decomposed)
            // In one transaction, which may cache its reads.
            let found = try await ledger.read { reader in
                try [names[0], names[1], names[1], names[0]].map { try reader.queue($0)?.key }
            }
            #expect(found == [composed, decomposed, decomposed, composed])
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func revisionsOfAQueueRiseByOneAndAreItsOwn(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let first = try await ledger.makeQueue()
            let second = try await ledger.makeQueue(QueueName(application: "other", account: "a"))
            let (revisions, seen) = try await ledger.change { writer in
                let revisions = try [first, first, second, first].map { try writer.advanceRevision(ofQueue: $0) }
                let seen = [try writer.queue(key: first), try writer.queue(someQueue)]
                return (revisions, try seen + writer.queues(afterKey: 0, limit: 1))
            }
            #expect(revisions == [1, 2, 1, 3])
            #expect(seen.map { $0?.revision } == [3, 3, 3], "a commit sees its own changes")
            #expect(try await ledger.read { try $0.queue(key: first)?.revision } == 3)
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func revisionOfAQueueThatIsNotThereIsRefused(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let error = await #expect(throws: TillError.self) {
                try await ledger.change { try $0.advanceRevision(ofQueue: 7) }
            }
            #expect(error?.code == .notFound)
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func commitThatThrowsChangesNothing(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let queue = try await ledger.makeQueue()
            let kept = try await ledger.insert(.sample(queue, revision: 1))
            let restore = RestoreRecord.sample(queue)
            let refund = RefundRecord.sample(kept)
            let error = await #expect(throws: TillError.self) {
                try await ledger.commit { writer in
                    _ = try writer.advanceRevision(ofQueue: queue)
                    let key = try writer.insert(.sample(queue, revision: 2))
                    _ = try writer.insert(ChargeRecord.sample(queue, key))
                    try writer.insert(restore)
                    try writer.insert(
                        EventRecord(queue: queue, revision: 3, kind: .restoreFinished(id: restore.id, count: 0))
                    )
                    _ = try writer.insert(SubscriptionRecord.sample(kept))
                    try writer.insert(refund)
                    let entry = HistoryRecord(
                        transactionKey: kept.key,
                        date: time(0),
                        kind: .change,
                        actor: "tilld",
                        detail: ""
                    )
                    try writer.append(entry, keeping: 9)
                    try writer.setSetting("locale", to: "de-DE")
                    var changed = kept
                    changed.state = .purchased
                    try writer.update(changed)
                    throw TillError(.cancelled, "on purpose")
                }
            }
            #expect(error?.code == .cancelled)
            try await ledger.read { reader throws in
                #expect(try reader.queue(key: queue)?.revision == 0)
                #expect(try reader.transactions(in: queue, changedAfter: 0, limit: 9) == [kept])
                #expect(try reader.charges(afterKey: 0, limit: 9).isEmpty)
                #expect(try reader.restore(restore.id) == nil)
                #expect(try reader.subscriptions(in: queue, afterKey: 0, limit: 9).isEmpty)
                #expect(try reader.refund(refund.id) == nil)
                #expect(try reader.history(ofTransaction: kept.key).isEmpty)
                #expect(try reader.settings().isEmpty)
                #expect(try reader.events(in: queue, after: 0, limit: 9).isEmpty)
            }
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func commitSeesItsOwnChangesAndReadersSeeThemAfterIt(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let queue = try await ledger.makeQueue()
            let seen = try await ledger.change { writer in
                let key = try writer.insert(.sample(queue, revision: 1))
                return try writer.transaction(key: key)
            }
            #expect(seen != nil)
            #expect(try await ledger.read { try $0.transaction(key: seen?.key ?? 0) } == seen)
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func failedStatementLeavesTheCommitUsable(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let queue = try await ledger.makeQueue()
            let record = TransactionRecord.sample(queue, revision: 1)
            try await ledger.commit { writer in
                _ = try writer.insert(record)
                #expect(throws: TillError.self) { try writer.insert(record) }
                #expect(throws: TillError.self) { try writer.createQueue(someQueue) }
                _ = try writer.advanceRevision(ofQueue: queue)
            }
            try await ledger.read { reader throws in
                #expect(try reader.transaction(record.id) != nil)
                #expect(try reader.queue(someQueue)?.revision == 1)
            }
        }
    }
}
