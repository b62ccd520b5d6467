import FoundationEssentials
import TillEngine
import TillModel
import Testing

@Suite("Every ledger: transactions")
struct LedgerTransactionTests {
    /// What a commit says that it will read is what it would have read otherwise.
    @Test(arguments: LedgerKind.allCases)
    func transactionsThatWereAnnouncedAreFound(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let queue = try await ledger.makeQueue()
            let stored = [
                try await ledger.insert(.sample(queue, revision: 1)),
                try await ledger.insert(.sample(queue, revision: 2)),
            ]
            try await ledger.commit { writer in
                let added = TransactionRecord.sample(queue, revision: 3)
                let never = UUID.version7()
                try writer.willRead(
                    [.id(stored[0].id), .id(added.id), .id(never), .key(stored[1].key), .key(77), .key(78)],
                    of: []
                )
                #expect(try writer.transaction(stored[0].id) == stored[0])
                #expect(try writer.transaction(key: stored[1].key) == stored[1])
                #expect(try writer.transaction(key: 77) == nil)
                #expect(try writer.transactionKey(stored[1].id) == stored[1].key)
                #expect(try writer.transaction(added.id) == nil)
                let key = try writer.insert(added)
                try writer.willRead([.id(added.id), .id(never)], of: [])
                #expect(try writer.transaction(added.id)?.key == key)
                #expect(try writer.transactionKey(added.id) == key)
                #expect(try writer.transaction(never) == nil && writer.transactionKey(never) == nil)
            }
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func identityIsTakenOnce(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let queue = try await ledger.makeQueue()
            let first = try await ledger.insert(.sample(queue, revision: 1))
            var second = TransactionRecord.sample(queue, revision: 2)
            second.id = first.id
            let duplicate = second
            let error = await #expect(throws: TillError.self) { try await ledger.insert(duplicate) }
            #expect(error?.code == .alreadyExists)
        }
    }

    /// The engine never gives a revision twice. SQLite does not check it: an index for it would cost every payment.
    @Test func revisionOfAQueueIsTakenOnceInMemory() async throws {
        try await LedgerKind.memory.withLedger { ledger in
            let queue = try await ledger.makeQueue()
            let other = try await ledger.makeQueue(QueueName(application: "other", account: "a"))
            let first = try await ledger.insert(.sample(queue, revision: 1))
            _ = try await ledger.insert(.sample(other, revision: 1))
            let inserted = await #expect(throws: TillError.self) {
                try await ledger.insert(.sample(queue, revision: 1))
            }
            #expect(inserted?.code == .alreadyExists)
            var second = try await ledger.insert(.sample(queue, revision: 2))
            second.revision = first.revision
            let moved = second
            let updated = await #expect(throws: TillError.self) { try await ledger.commit { try $0.update(moved) } }
            #expect(updated?.code == .alreadyExists)
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func rowsNeedTheirQueueAndTheirOriginal(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let queue = try await ledger.makeQueue()
            let stranger = OriginalRecord(key: 77, id: UUID(), purchasedAt: time(0))
            var copy = TransactionRecord.sample(queue, revision: 1)
            copy.repeats = 77
            let repetition = copy
            let attempts: [@Sendable (any LedgerWriter) throws -> Void] = [
                { _ = try $0.insert(.sample(queue + 1, revision: 1)) },
                { _ = try $0.insert(repetition) },
                { _ = try $0.insert(.sample(queue, revision: 1, original: stranger)) },
                { _ = try $0.insert(ChargeRecord.sample(queue, 77)) },
                { _ = try $0.insert(ChargeRecord.sample(queue, nil, subscription: 77)) },
                { try $0.insert(RestoreRecord.sample(queue + 1)) },
                {
                    try $0.insert(
                        EventRecord(queue: queue + 1, revision: 1, kind: .restoreFinished(id: UUID(), count: 0))
                    )
                },
            ]
            for (number, attempt) in attempts.enumerated() {
                let error = await #expect(throws: TillError.self, "attempt \(number)") {
                    try await ledger.commit(attempt)
                }
                #expect(error?.code == .notFound, "attempt \(number)")
            }
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func keysRiseAndAreNeverGivenTwice(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let queue = try await ledger.makeQueue()
            let first = try await ledger.insert(.sample(queue, revision: 1))
            #expect(first.key == 1)
            let rolledBack = Box<Int64>()
            await #expect(throws: TillError.self) {
                try await ledger.commit { writer in
                    rolledBack.value = try writer.insert(.sample(queue, revision: 2))
                    throw TillError(.cancelled, "on purpose")
                }
            }
            let second = try await ledger.insert(.sample(queue, revision: 2))
            #expect(try second.key > rolledBack.get())
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func unfinishedTransactionsOfAQueueComeByKeyInPages(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let queue = try await ledger.makeQueue()
            let other = try await ledger.makeQueue(QueueName(application: "other", account: "a"))
            _ = try await ledger.insert(.sample(other, revision: 1))
            // Revisions against the order of the keys, and every third one finished.
            let records = try await ledger.insert(
                (1...9).map { n in
                    .sample(queue, revision: UInt64(100 - n), finishedAt: n.isMultiple(of: 3) ? time(200) : nil)
                }
            )
            let unfinished = records.filter { $0.finishedAt == nil }
            try await ledger.read { reader throws in
                func page(_ key: Int64, _ limit: Int) throws -> [TransactionRecord] {
                    try reader.unfinishedTransactions(in: queue, afterKey: key, limit: limit)
                }
                #expect(try page(0, 99) == unfinished)
                #expect(try page(0, 4) == Array(unfinished[..<4]))
                #expect(try page(unfinished[1].key, 2) == Array(unfinished[2..<4]))
                #expect(try page(unfinished[5].key, 4).isEmpty)
                #expect(try page(0, 0).isEmpty)
                #expect(try page(0, -1).isEmpty)
            }
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func changesOfAQueueComeByRevision(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let queue = try await ledger.makeQueue()
            let other = try await ledger.makeQueue(QueueName(application: "other", account: "a"))
            _ = try await ledger.insert(.sample(other, revision: 7))
            var records = try await ledger.insert([30, 10, 20].map { .sample(queue, revision: $0) })
            records[1].revision = 40
            records[1].finishedAt = time(41)
            let changed = records[1]
            try await ledger.commit { try $0.update(changed) }
            let expected = [records[2], records[0], records[1]]
            try await ledger.read { reader throws in
                #expect(try reader.transactions(in: queue, changedAfter: 0, limit: 9) == expected)
                #expect(try reader.transactions(in: queue, changedAfter: 20, limit: 1) == [expected[1]])
                #expect(try reader.transactions(in: queue, changedAfter: 29, limit: 9) == Array(expected[1...]))
                #expect(try reader.transactions(in: queue, changedAfter: 40, limit: 9).isEmpty)
                #expect(try reader.transactions(in: queue, changedAfter: .max, limit: 9).isEmpty)
                #expect(try reader.transactions(in: queue, changedAfter: 0, limit: 0).isEmpty)
            }
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func deliverableTransactionsComeByRevisionWithinTheRange(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let queue = try await ledger.makeQueue()
            let finished = time(99)
            var pending = TransactionRecord.sample(queue, revision: 35, finishedAt: finished)
            pending.isRevocationPending = true
            let records = try await ledger.insert([
                .sample(queue, revision: 50), .sample(queue, revision: 20),
                .sample(queue, revision: 30, finishedAt: finished), .sample(queue, revision: 40),
                .sample(queue, revision: 10), pending,
            ])
            let expected = [records[4], records[1], records[5], records[3], records[0]]
            try await ledger.read { reader throws in
                func page(_ range: ClosedRange<UInt64>, _ limit: Int = 9) throws -> [TransactionRecord] {
                    try reader.deliverableTransactions(in: queue, revisions: range, limit: limit)
                }
                #expect(try page(0...UInt64.max) == expected)
                #expect(try page(20...40) == Array(expected[1...3]))
                #expect(try page(21...34).isEmpty)
                #expect(try page(0...UInt64.max, 2) == Array(expected[..<2]))
                #expect(try page(0...UInt64.max, -5).isEmpty)
                #expect(try reader.deliverableTransactions(in: 77, revisions: 0...99, limit: 9).isEmpty)
            }
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func updateReplacesWhatMayChangeAndNothingElse(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let queue = try await ledger.makeQueue()
            let original = try await ledger.insert(.sample(queue, revision: 1))
            let subscription = try await ledger.insert(SubscriptionRecord.sample(original))
            let stored = try await ledger.insert(.sample(queue, revision: 2))
            var expected = TransactionRecord.whole(queue, subscription: subscription.key)
            expected.key = stored.key
            expected.id = stored.id
            expected.payment = stored.payment
            expected.productType = stored.productType
            expected.createdAt = stored.createdAt
            expected.continues = stored.continues
            expected.original = original.asOriginal
            var update = expected
            update.id = UUID()
            update.queue = 77
            update.payment = Payment(productID: "other", quantity: 9)
            update.productType = .consumable
            update.createdAt = time(77)
            update.continues = UUID()
            let sent = update
            try await ledger.commit { try $0.update(sent) }
            #expect(try await ledger.read { try $0.transaction(stored.id) } == expected)
            var undone = stored
            undone.revision = 4
            let back = undone
            try await ledger.commit { try $0.update(back) }
            #expect(try await ledger.read { try $0.transaction(key: stored.key) } == back)
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func updateOfAMissingRowIsRefused(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let queue = try await ledger.makeQueue()
            let updates: [@Sendable (any LedgerWriter) throws -> Void] = [
                { try $0.update(TransactionRecord.sample(queue, revision: 1)) },
                { try $0.update(ChargeRecord.sample(queue, nil)) },
                { try $0.update(RestoreRecord.sample(queue)) },
            ]
            for update in updates {
                let error = await #expect(throws: TillError.self) { try await ledger.commit(update) }
                #expect(error?.code == .notFound)
            }
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func originalComesWithItsIdentityAndDate(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let queue = try await ledger.makeQueue()
            let original = try await ledger.insert(.sample(queue, revision: 1, state: .purchased))
            let copy = TransactionRecord.sample(queue, revision: 2, state: .restored, original: original.asOriginal)
            let restored = try await ledger.insert(copy)
            let found = try await ledger.read { try $0.transaction(restored.id)?.original }
            #expect(found == OriginalRecord(key: original.key, id: original.id, purchasedAt: original.createdAt))
        }
    }
}
