import FoundationEssentials
import TillEngine
import TillModel
import Testing
import TillSQLite

@Suite("Every ledger: transactions with their downloads")
struct LedgerCarriedDownloadTests {
    @Test(arguments: LedgerKind.allCases)
    func unfinishedTransactionsComeWithTheirDownloads(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let queue = try await ledger.makeQueue()
            var records = [1, 2, 3].map { TransactionRecord.sample(queue, revision: $0, state: .purchased) }
            records[0].hasDownloads = true
            records[2].hasDownloads = true
            records = try await ledger.insert(records)
            records[0].downloads = try await ledger.insert([.sample(records[0]), .sample(records[0], state: .active)])
            records[2].downloads = try await ledger.insert([.sample(records[2], state: .paused)])
            let expected = records
            try await ledger.read { reader throws in
                #expect(try expected.map { try reader.transaction($0.id) } == expected)
                #expect(try expected.map { try reader.transaction(key: $0.key) } == expected)
                #expect(try reader.transactions(in: queue, changedAfter: 0, limit: 9) == expected)
                #expect(try reader.unfinishedTransactions(in: queue, afterKey: 0, limit: 9) == expected)
                #expect(try reader.deliverableTransactions(in: queue, revisions: 0...9, limit: 9) == expected)
                #expect(try reader.transactions(matching: TransactionFilter(), afterKey: 0, limit: 9) == expected)
            }
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func finishedTransactionsAndThoseThatSayTheyHaveNoneComeWithout(_ kind: LedgerKind) async throws {
        try await kind.withLedger { ledger in
            let queue = try await ledger.makeQueue()
            var finished = TransactionRecord.sample(queue, revision: 1, state: .purchased, finishedAt: time(9))
            finished.hasDownloads = true
            let records = try await ledger.insert([finished, .sample(queue, revision: 2, state: .purchased)])
            _ = try await ledger.insert(records.map { .sample($0) })
            #expect(try await ledger.read { try $0.transaction(records[0].id) } == records[0])
            #expect(try await ledger.read { try $0.transaction(records[1].id) } == records[1])
        }
    }

    @Test(arguments: LedgerKind.allCases, [true, false])
    func writingATransactionWritesNoDownloads(_ kind: LedgerKind, _ hasDownloads: Bool) async throws {
        try await kind.withLedger { ledger in
            let queue = try await ledger.makeQueue()
            var record = TransactionRecord.sample(queue, revision: 1, state: .purchased)
            record.hasDownloads = hasDownloads
            var strange = DownloadRecord.sample(record)
            strange.key = 5
            record.downloads = [strange]
            let stored = try await ledger.insert(record)
            #expect(try await ledger.read { try $0.transaction(stored.id)?.downloads } == [])
            let downloads = try await ledger.insert([.sample(stored)])
            try await ledger.commit { try $0.update(stored) }
            let found = try await ledger.read { try $0.transaction(stored.id)?.downloads }
            #expect(found == (hasDownloads ? downloads : []))
            #expect(try await ledger.read { try $0.downloadIDs() } == [downloads[0].id])
        }
    }

    @Test
    func downloadsGoWithATransactionThatIsRemovedFromALedgerInMemory() async throws {
        let ledger = try SQLiteLedger.inMemory()
        let queue = try await ledger.makeQueue()
        let records = try await ledger.insert([.sample(queue, revision: 1), .sample(queue, revision: 2)])
        let downloads = try await ledger.insert(records.map { .sample($0, state: .active, revision: 3) })
        let copy = try ledger.copy(removing: [records[0].key])
        try await copy.read { reader throws in
            #expect(try reader.downloadIDs() == [downloads[1].id])
            #expect(try reader.activeDownloads(limit: 9) == [downloads[1]])
            #expect(try reader.downloads(in: queue, changedAfter: 0, limit: 9) == [downloads[1]])
            #expect(try reader.downloads(ofTransaction: records[0].key).isEmpty)
        }
        let next = try await copy.insert([.sample(records[1])])
        #expect(next[0].key == downloads[1].key + 1)
        #expect(try await ledger.read { try $0.downloadIDs() }.count == 2)
    }
}
