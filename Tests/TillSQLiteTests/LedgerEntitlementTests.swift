import FoundationEssentials
import TillEngine
import TillModel
import Testing

@Suite("Every ledger: entitlements and restores")
struct LedgerEntitlementTests {
    @Test(arguments: LedgerKind.allCases)
    func entitlementIsFoundByProductWithinItsQueue(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let queue = try await ledger.makeQueue()
            let other = try await ledger.makeQueue(QueueName(application: "other", account: "a"))
            _ = try await ledger.insert(.sample(queue, revision: 1, product: "pro"))
            let oldest = try await ledger.insert(.sample(queue, revision: 9, product: "pro", isEntitlement: true))
            _ = try await ledger.insert(.sample(queue, revision: 3, product: "pro", isEntitlement: true))
            try await ledger.read { reader throws in
                #expect(try reader.entitlement(to: "pro", in: queue) == oldest)
                #expect(try reader.entitlement(to: "PRO", in: queue) == nil)
                #expect(try reader.entitlement(to: "other", in: queue) == nil)
                #expect(try reader.entitlement(to: "pro", in: other) == nil)
                #expect(try reader.entitlement(to: "pro", in: 77) == nil)
            }
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func entitlementComesAndGoesWithAnUpdate(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let queue = try await ledger.makeQueue()
            let record = try await ledger.insert(.sample(queue, revision: 1))
            for (isEntitlement, revision) in [(true, 2), (false, 3)] as [(Bool, UInt64)] {
                var changed = record
                changed.isEntitlement = isEntitlement
                changed.revision = revision
                let update = changed
                try await ledger.commit { try $0.update(update) }
                let found = try await ledger.read { try $0.entitlement(to: "pro", in: queue) }
                #expect(found == (isEntitlement ? update : nil))
            }
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func productsAreComparedAsBytes(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let queue = try await ledger.makeQueue()
            let record = try await ledger.insert(
                .sample(queue, revision: 1, product: "caf\u{E9}", isEntitlement: true)
            )
            try await ledger.read { reader throws in
                #expect(try reader.entitlement(to: "cafe\u{301}", in: queue) == nil)
                #expect(try reader.entitlement(to: "caf\u{E9}", in: queue) == record)
            }
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func restorableAreFinishedEntitlementsByKey(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let queue = try await ledger.makeQueue()
            let other = try await ledger.makeQueue(QueueName(application: "other", account: "a"))
            let done = time(500)
            _ = try await ledger.insert(.sample(other, revision: 1, finishedAt: done, isEntitlement: true))
            let records = try await ledger.insert([
                .sample(queue, revision: 9, finishedAt: done, isEntitlement: true),
                .sample(queue, revision: 8, isEntitlement: true),
                .sample(queue, revision: 7, finishedAt: done),
                .sample(queue, revision: 6, finishedAt: done, isEntitlement: true),
                .sample(queue, revision: 5, finishedAt: done, isEntitlement: true),
            ])
            let expected = [records[0], records[3], records[4]]
            try await ledger.read { reader throws in
                func page(_ key: Int64, _ limit: Int) throws -> [TransactionRecord] {
                    try reader.restorableTransactions(in: queue, afterKey: key, applicationUsername: nil, limit: limit)
                }
                #expect(try page(0, 9) == expected)
                #expect(try page(0, 2) == Array(expected[..<2]))
                #expect(try page(expected[1].key, 2) == [expected[2]])
                #expect(try page(expected[2].key, 2).isEmpty)
                #expect(try page(0, -1).isEmpty)
            }
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func restorableAreOfTheUsernameByItsBytes(_ kind: LedgerKind) async throws {
        let usernames: [String?] = [nil, "", "anna", "Anna", "caf\u{E9}", "cafe\u{301}", "👩‍👩‍👧", "a\u{1}b", "a"]
        try await kind.withLedger { ledger in
            let queue = try await ledger.makeQueue()
            let records = try await ledger.insert(
                usernames.enumerated().map { number, username in
                    .sample(
                        queue,
                        revision: UInt64(number + 1),
                        username: username,
                        finishedAt: time(500),
                        isEntitlement: true
                    )
                }
            )
            for (username, record) in zip(usernames, records) {
                let found = try await ledger.read {
                    try $0.restorableTransactions(in: queue, afterKey: 0, applicationUsername: username, limit: 99)
                }
                #expect(found == (username == nil ? records : [record]), "\(String(describing: username))")
                let count = try await ledger.read { try $0.restorableCount(in: queue, applicationUsername: username) }
                #expect(count == found.count)
            }
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func typeOfTheProductSaysWhatAnEntitlementIsFor(_ kind: LedgerKind) async throws {
        let types: [ProductType?] = [
            .nonConsumable, .autoRenewableSubscription, .nonRenewingSubscription, .consumable, nil,
        ]
        try await kind.withLedger { ledger in
            let queue = try await ledger.makeQueue()
            let other = try await ledger.makeQueue(QueueName(application: "other", account: "a"))
            _ = try await ledger.insert(.sample(other, revision: 1, finishedAt: time(9), isEntitlement: true))
            let records = try await ledger.insert(
                types.enumerated().map { number, type in
                    .sample(
                        queue,
                        revision: UInt64(number),
                        product: "product \(number)",
                        type: type,
                        finishedAt: time(9),
                        isEntitlement: true
                    )
                }
            )
            let open = try await ledger.insert(.sample(queue, revision: 9, type: .nonConsumable, isEntitlement: true))
            try await ledger.read { reader throws in
                for (number, record) in records.enumerated() {
                    let found = try reader.entitlement(to: "product \(number)", in: queue)
                    #expect(found == (number == 0 ? record : nil), "bought once: only the non-consumable")
                }
                func owned(_ key: Int64, _ limit: Int) throws -> [TransactionRecord] {
                    try reader.entitlements(in: queue, afterKey: key, limit: limit)
                }
                #expect(try owned(0, 9) == [records[0], records[2], open])
                #expect(try owned(records[0].key, 1) == [records[2]])
                #expect(try owned(0, -1).isEmpty)
                let restorable = try reader.restorableTransactions(
                    in: queue,
                    afterKey: 0,
                    applicationUsername: nil,
                    limit: 9
                )
                #expect(restorable == [records[0], records[1]])
                #expect(try reader.restorableCount(in: queue, applicationUsername: nil) == 2)
                #expect(try reader.restorableCount(in: 77, applicationUsername: nil) == 0)
            }
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func unfinishedRestoredTransactionIsFoundUntilFinished(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let queue = try await ledger.makeQueue()
            let original = try await ledger.insert(.sample(queue, revision: 1, isEntitlement: true))
            let origin = original.asOriginal
            _ = try await ledger.insert(.sample(queue, revision: 2, state: .purchased, original: origin))
            _ = try await ledger.insert(
                .sample(queue, revision: 3, state: .restored, finishedAt: time(9), original: origin)
            )
            let find: @Sendable (any LedgerReader) throws -> TransactionRecord? = {
                try $0.unfinishedRestoredTransaction(of: original)
            }
            #expect(try await ledger.read(find) == nil)
            var restored = try await ledger.insert(.sample(queue, revision: 4, state: .restored, original: origin))
            #expect(try await ledger.read(find) == restored)
            restored.finishedAt = time(10)
            restored.revision = 5
            let finished = restored
            try await ledger.commit { try $0.update(finished) }
            #expect(try await ledger.read(find) == nil)
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func restoreIsTakenOnceAndUpdated(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let queue = try await ledger.makeQueue()
            let restore = RestoreRecord.sample(queue, username: "anna")
            try await ledger.commit { try $0.insert(restore) }
            #expect(try await ledger.read { try $0.restore(restore.id) } == restore)
            let error = await #expect(throws: TillError.self) { try await ledger.commit { try $0.insert(restore) } }
            #expect(error?.code == .alreadyExists)
            var expected = restore
            expected.state = .failed
            expected.cursor = 17
            expected.count = 3
            expected.error = .whole("text")
            expected.deadline = time(1)
            var update = expected
            update.queue = 77
            update.applicationUsername = "other"
            update.revision = 77
            update.total = 77
            update.createdAt = time(77)
            let sent = update
            try await ledger.commit { try $0.update(sent) }
            #expect(try await ledger.read { try $0.restore(restore.id) } == expected)
            #expect(try await ledger.read { try $0.restore(UUID()) } == nil)
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func anIdentityThatJoinedARestoreNamesIt(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let queue = try await ledger.makeQueue()
            let restore = RestoreRecord.sample(queue)
            let joined = UUID.version7()
            try await ledger.commit { writer in
                try writer.insert(restore)
                try writer.insert(joined: joined, to: restore.id)
            }
            var ended = restore
            ended.state = .finished
            ended.count = 7
            let update = ended
            try await ledger.commit { try $0.update(update) }
            for id in [joined, restore.id] {
                let found = try await ledger.read { try $0.restore(id) }
                #expect(found == update)
            }
            for (id, other) in [(joined, restore.id), (UUID.version7(), UUID.version7())] {
                await #expect(throws: TillError.self) {
                    try await ledger.commit { try $0.insert(joined: id, to: other) }
                }
            }
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func joinableRestoreIsFoundByQueueAndUsername(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let queue = try await ledger.makeQueue()
            let other = try await ledger.makeQueue(QueueName(application: "other", account: "a"))
            let usernames: [String?] = [nil, "", "anna", "caf\u{E9}"]
            let restores = usernames.map { RestoreRecord.sample(queue, username: $0) }
            try await ledger.commit { writer in try restores.forEach(writer.insert) }
            try await ledger.read { reader throws in
                for (username, restore) in zip(usernames, restores) {
                    #expect(try reader.joinableRestore(in: queue, applicationUsername: username) == restore)
                    #expect(try reader.joinableRestore(in: other, applicationUsername: username) == nil)
                }
                #expect(try reader.joinableRestore(in: queue, applicationUsername: "cafe\u{301}") == nil)
            }
            for (number, restore) in restores.enumerated() {
                var update = restore
                update.state = number == 0 ? .finished : .running
                update.cursor = number == 0 ? 0 : 7
                try await ledger.commit { [update] in try $0.update(update) }
                let username = usernames[number]
                #expect(
                    try await ledger.read { try $0.joinableRestore(in: queue, applicationUsername: username) } == nil
                )
            }
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func runningRestoresComeOldestFirst(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let queue = try await ledger.makeQueue()
            let other = try await ledger.makeQueue(QueueName(application: "other", account: "a"))
            var ended = RestoreRecord.sample(queue, created: 0)
            ended.state = .finished
            let restores = [
                ended, .sample(queue, created: 30), .sample(other, created: 10), .sample(queue, created: 20),
            ]
            try await ledger.commit { writer in try restores.forEach(writer.insert) }
            let expected = [restores[2], restores[3], restores[1]]
            try await ledger.read { reader throws in
                #expect(try reader.runningRestores(limit: 9) == expected)
                #expect(try reader.runningRestores(limit: 2) == Array(expected[..<2]))
                #expect(try reader.runningRestores(limit: -1).isEmpty)
            }
        }
    }
}
