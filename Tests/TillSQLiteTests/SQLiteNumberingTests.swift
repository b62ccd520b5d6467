import FoundationEssentials
import GRDB
import Testing
import TillEngine
import TillModel

@testable import TillSQLite

@Suite("The numbering of a ledger's identifiers")
struct SQLiteNumberingTests {
    private typealias Range = IdentifierNumbering.Range

    /// A closed ledger of version 5; with rows, it has given the transaction keys up to 15 and the queue keys up to 4.
    private static func makeVersion5(_ path: String, rows: Bool) throws {
        let queue = try DatabaseQueue(path: path)
        try Schema.migrator.migrate(queue, upTo: "v1")
        if rows {
            try queue.write { try $0.execute(sql: SQLiteMigrationTests.rows) }
        }
        try Schema.migrator.migrate(queue, upTo: "v5")
        try queue.close()
    }

    @Test
    func aNewLedgerDrawsItsBasesAndKeepsThem() async throws {
        try await withTemporaryDirectory { directory in
            let path = directory + "/first"
            let first = try SQLiteLedger(path: path, logger: .silent)
            try await first.close()
            let other = try SQLiteLedger(path: directory + "/other", logger: .silent)
            try await other.close()
            #expect(first.numbering.transactions.ranges.map(\.firstKey) == [1])
            #expect(first.numbering.applications.ranges.map(\.firstKey) == [1])
            #expect(first.numbering.transactions.ranges.allSatisfy { LedgerNumbering.transactionBases ~= $0.base })
            #expect(first.numbering.applications.ranges.allSatisfy { LedgerNumbering.applicationBases ~= $0.base })
            #expect(first.numbering.transactions != other.numbering.transactions)
            #expect(first.numbering.applications != other.numbering.applications)

            let again = try SQLiteLedger(path: path, logger: .silent)
            #expect(again.numbering == first.numbering)
            try await again.close()
            let reading = try SQLiteLedger.openReadOnly(path: path)
            #expect(reading.numbering == first.numbering)
            try await reading.close()
        }
    }

    @Test
    func anOlderLedgerKeepsTheIdentifiersThatItIssued() async throws {
        try await withTemporaryDirectory { directory in
            let path = directory + "/ledger"
            try Self.makeVersion5(path, rows: true)
            let ledger = try SQLiteLedger(path: path, logger: .silent)
            let transactions = ledger.numbering.transactions
            #expect((1...15).map(transactions.identifier(ofKey:)) == (1...15).map { "\($0)" })
            #expect(LedgerNumbering.transactionBases ~= transactions.number(ofKey: 16))
            let applications = ledger.numbering.applications
            #expect(applications.identifier(ofKey: 4) == "704000000000000004")
            #expect(LedgerNumbering.applicationBases ~= applications.number(ofKey: 5))

            let next = try await ledger.insert(.sample(3, revision: 61))
            #expect(next.key == 16)
            let restored = try #require(await ledger.read { try $0.transaction(key: 12) })
            let published = restored.transaction(identifiedBy: ledger.numbering)
            #expect(published.purchase?.transactionIdentifier == "12")
            #expect(published.original?.purchase.transactionIdentifier == "10")
            try await ledger.close()
        }
    }

    @Test
    func anOlderLedgerThatIssuedNothingIsNumberedLikeANewOne() async throws {
        try await withTemporaryDirectory { directory in
            let path = directory + "/ledger"
            try Self.makeVersion5(path, rows: false)
            let ledger = try SQLiteLedger(path: path, logger: .silent)
            #expect(LedgerNumbering.transactionBases ~= ledger.numbering.transactions.number(ofKey: 1))
            #expect(LedgerNumbering.applicationBases ~= ledger.numbering.applications.number(ofKey: 1))
            try await ledger.close()
        }
    }

    @Test
    func anOlderLedgerThatGaveTheHighestKeyIsNotNumberedBeyondIt() async throws {
        try await withTemporaryDirectory { directory in
            let path = directory + "/ledger"
            try Self.makeVersion5(path, rows: true)
            try edit(path, "UPDATE sqlite_sequence SET seq = \(Int64.max)")
            let ledger = try SQLiteLedger(path: path, logger: .silent)
            #expect(ledger.numbering == .plain)
            try await ledger.close()
        }
    }

    @Test(arguments: [
        "DELETE FROM identifier_ranges", "DELETE FROM identifier_ranges WHERE kind = 1",
        "UPDATE identifier_ranges SET first_key = 2", "UPDATE identifier_ranges SET base = -1",
        "UPDATE identifier_ranges SET base = 9223372036854775807",
    ])
    func aLedgerThatHasLostItsNumberingIsRefused(damage: String) async throws {
        try await withTemporaryDirectory { directory in
            let path = directory + "/ledger"
            try await SQLiteLedger(path: path, logger: .silent).close()
            try edit(path, damage)
            let error = #expect(throws: TillError.self) { try SQLiteLedger(path: path, logger: .silent) }
            #expect(error?.code == .dataLoss)
            #expect(error?.message.contains("identifier_ranges") == true, "\(String(describing: error))")
        }
    }
}
