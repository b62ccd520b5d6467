import FoundationEssentials
import TillEngine
import TillModel
import Testing

@Suite("Every ledger: downloads")
struct LedgerDownloadTests {
    private static let otherQueue = QueueName(application: "org.example.draw", account: "uid:1000")

    @Test(arguments: LedgerKind.allCases)
    func downloadsOfATransactionComeByKey(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let queue = try await ledger.makeQueue()
            let records = try await ledger.insert([.sample(queue, revision: 1), .sample(queue, revision: 2)])
            let downloads = try await ledger.insert([.sample(records[1]), .sample(records[0]), .sample(records[1])])
            #expect(downloads.map(\.key) == [1, 2, 3])
            try await ledger.read { reader throws in
                #expect(try reader.downloads(ofTransaction: records[1].key) == [downloads[0], downloads[2]])
                #expect(try reader.downloads(ofTransaction: records[0].key) == [downloads[1]])
                #expect(try reader.downloads(ofTransaction: 77).isEmpty)
                #expect(try reader.download(downloads[2].id) == downloads[2])
                #expect(try reader.download(UUID()) == nil)
                #expect(try reader.downloadIDs() == Set(downloads.map(\.id)))
            }
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func downloadNeedsItsQueueItsTransactionAndAnIdentityOfItsOwn(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let record = try await ledger.insert(.sample(ledger.makeQueue(), revision: 1))
            let stored = try await ledger.insert([.sample(record)])[0]
            var stray = DownloadRecord.sample(record)
            stray.queue = 77
            var lost = DownloadRecord.sample(record)
            lost.transactionKey = 77
            for (download, code) in [(stray, TillError.Code.notFound), (lost, .notFound), (stored, .alreadyExists)] {
                let error = await #expect(throws: TillError.self) { try await ledger.insert([download]) }
                #expect(error?.code == code)
            }
            let unknown = DownloadRecord.sample(record)
            let error = await #expect(throws: TillError.self) { try await ledger.commit { try $0.update(unknown) } }
            #expect(error?.code == .notFound)
            #expect(try await ledger.read { try $0.downloadIDs() } == [stored.id])
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func downloadsOfAQueueComeByKeyInPages(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let record = try await ledger.insert(.sample(ledger.makeQueue(), revision: 1))
            let other = try await ledger.insert(.sample(ledger.makeQueue(Self.otherQueue), revision: 1))
            _ = try await ledger.insert([.sample(other)])
            // Revisions against the order of the keys.
            let downloads = try await ledger.insert((1...5).map { .sample(record, revision: UInt64(9 - $0)) })
            try await ledger.read { reader throws in
                func page(_ key: Int64, _ limit: Int) throws -> [DownloadRecord] {
                    try reader.downloads(in: record.queue, afterKey: key, limit: limit)
                }
                #expect(try page(0, 99) == downloads)
                #expect(try page(0, 2) == Array(downloads[..<2]))
                #expect(try page(downloads[1].key, 2) == Array(downloads[2..<4]))
                #expect(try page(downloads[4].key, 2).isEmpty)
                #expect(try page(0, 0).isEmpty)
                #expect(try page(0, -1).isEmpty)
                #expect(try reader.downloads(in: 77, afterKey: 0, limit: 9).isEmpty)
            }
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func changesOfDownloadsComeByRevision(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let record = try await ledger.insert(.sample(ledger.makeQueue(), revision: 1))
            let other = try await ledger.insert(.sample(ledger.makeQueue(Self.otherQueue), revision: 1))
            _ = try await ledger.insert([.sample(other, revision: 7)])
            var downloads = try await ledger.insert([30, 10, 20, 20].map { .sample(record, revision: $0) })
            downloads[1].revision = 40
            let changed = downloads[1]
            try await ledger.commit { try $0.update(changed) }
            // Two that changed at once share a place, and come by key.
            let expected = [downloads[2], downloads[3], downloads[0], downloads[1]]
            try await ledger.read { reader throws in
                func page(_ revision: UInt64, _ limit: Int = 9) throws -> [DownloadRecord] {
                    try reader.downloads(in: record.queue, changedAfter: revision, limit: limit)
                }
                #expect(try page(0) == expected)
                #expect(try page(19, 3) == Array(expected[..<3]))
                #expect(try page(20) == Array(expected[2...]))
                #expect(try page(40).isEmpty)
                #expect(try page(.max).isEmpty)
                #expect(try page(0, 0).isEmpty)
                #expect(try page(0, -1).isEmpty)
            }
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func activeDownloadsOfAllQueuesComeByKey(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let record = try await ledger.insert(.sample(ledger.makeQueue(), revision: 1))
            let other = try await ledger.insert(.sample(ledger.makeQueue(Self.otherQueue), revision: 1))
            var downloads = try await ledger.insert(DownloadState.allCases.map { .sample(record, state: $0) })
            downloads += try await ledger.insert([.sample(other, state: .active), .sample(record)])
            downloads[7].state = .active
            let started = downloads[7]
            try await ledger.commit { try $0.update(started) }
            let active = [downloads[1], downloads[6], downloads[7]]
            #expect(try await ledger.read { try $0.activeDownloads(limit: 9) } == active)
            #expect(try await ledger.read { try $0.activeDownloads(limit: 2) } == Array(active[..<2]))
            #expect(try await ledger.read { try $0.activeDownloads(limit: -1) }.isEmpty)
            downloads[1].state = .paused
            let paused = downloads[1]
            try await ledger.commit { try $0.update(paused) }
            #expect(try await ledger.read { try $0.activeDownloads(limit: 9) } == Array(active[1...]))
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func updateReplacesWhatMayChangeOfADownload(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let queue = try await ledger.makeQueue()
            let records = try await ledger.insert([.sample(queue, revision: 1), .sample(queue, revision: 2)])
            let stored = try await ledger.insert([.sample(records[0])])[0]
            var update = DownloadRecord.whole(records[1])
            update.queue = 77
            update.key = stored.key
            var expected = update
            expected.id = stored.id
            expected.queue = stored.queue
            expected.transactionKey = stored.transactionKey
            expected.transactionID = stored.transactionID
            expected.productID = stored.productID
            expected.content = stored.content
            expected.sha256 = stored.sha256
            for (sent, kept) in [(update, expected), (stored, stored)] {
                try await ledger.commit { try $0.update(sent) }
                #expect(try await ledger.read { try $0.download(stored.id) } == kept)
                #expect(try await ledger.read { try $0.downloads(ofTransaction: records[0].key) } == [kept])
            }
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func deletedDownloadsAreNowhereAndTheirKeysAreNotGivenAgain(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let queue = try await ledger.makeQueue()
            let records = try await ledger.insert([.sample(queue, revision: 1), .sample(queue, revision: 2)])
            let gone = try await ledger.insert([
                .sample(records[0], state: .active, revision: 3), .sample(records[0], state: .finished, size: 5),
            ])
            try await ledger.commit { try $0.deleteDownloads(ofTransaction: records[0].key) }
            try await ledger.commit { try $0.deleteDownloads(ofTransaction: 77) }
            let next = try await ledger.insert([.sample(records[1], state: .active, revision: 4)])
            #expect(next[0].key == gone[1].key + 1)
            try await ledger.read { reader throws in
                #expect(try gone.compactMap { try reader.download($0.id) }.isEmpty)
                #expect(try reader.downloads(ofTransaction: records[0].key).isEmpty)
                #expect(try reader.downloads(in: queue, afterKey: 0, limit: 9) == next)
                #expect(try reader.downloads(in: queue, changedAfter: 0, limit: 9) == next)
                #expect(try reader.activeDownloads(limit: 9) == next)
                #expect(try reader.downloadIDs() == [next[0].id])
                #expect(try reader.downloadBytes(ofAccount: "uid:1000") == 1_000)
            }
            _ = try await ledger.insert(gone)
            #expect(try await ledger.read { try $0.downloadIDs() }.count == 3, "their identities are free again")
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func changesOfADownloadAreRolledBack(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let record = try await ledger.insert(.sample(ledger.makeQueue(), revision: 1))
            let stored = try await ledger.insert([.sample(record), .sample(record)])
            let another = DownloadRecord.sample(record, state: .active)
            await #expect(throws: TillError.self) {
                try await ledger.commit { writer in
                    var begun = another
                    begun.key = try writer.insert(another)
                    try writer.update(begun)
                    var changed = stored[0]
                    changed.state = .active
                    changed.revision = 5
                    try writer.update(changed)
                    #expect(try writer.activeDownloads(limit: 9).count == 2, "it reads what it wrote")
                    try writer.deleteDownloads(ofTransaction: record.key)
                    #expect(try writer.downloadIDs().isEmpty)
                    throw TillError(.cancelled, "on purpose")
                }
            }
            try await ledger.read { reader throws in
                #expect(try reader.downloads(ofTransaction: record.key) == stored)
                #expect(try reader.downloads(in: record.queue, changedAfter: 0, limit: 9).isEmpty)
                #expect(try reader.activeDownloads(limit: 9).isEmpty)
                #expect(try reader.downloadIDs() == Set(stored.map(\.id)))
            }
        }
    }
}
