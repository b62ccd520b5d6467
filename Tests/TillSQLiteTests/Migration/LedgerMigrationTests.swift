import FoundationEssentials
import GRDB
import ProcessTesting
import Testing
import TillEngine
import TillModel

@testable import TillPostgres
@testable import TillSQL
@testable import TillSQLite

@Suite(
    "Migrations of a ledger between a file and PostgreSQL",
    .enabled(if: PostgresCluster.isInstalled, "Debian's package postgresql-15 is not installed")
)
struct LedgerMigrationTests {
    @Test func bothDatabasesHaveTheSameTables() async throws {
        try await MigrationSite.with { site in
            let file = try site.file.read { try $0.ledgerTables() }
            await (try site.openedDatabase()).close()
            let database = try site.database().read { try $0.ledgerTables() }
            #expect(Set(file) == Set(database))
            #expect(file.contains { $0.name == "transactions" && $0.columns.first?.name == "key" })
            // Rows are inserted in this order.
            for tables in [file, database] {
                let names = tables.map(\.name)
                let queues = try #require(names.firstIndex(of: "queues"))
                let joined = try #require(names.firstIndex(of: "joined_restores"))
                #expect(try queues < #require(names.firstIndex(of: "restores")))
                #expect(try joined > #require(names.firstIndex(of: "restores")))
            }
        }
    }

    @Test func aLedgerThatIsMovedThereAndBackIsTheSame() async throws {
        try await MigrationSite.with { site in
            let before = try site.openedFile()
            try await before.close()
            let digests = try site.file.digests()
            for digest in digests {
                #expect(digest.rowCount > 0, "no row of \(digest.table) is moved in this test")
            }
            for name in ["transactions", "marks"] {
                let digest = try #require(digests.first { $0.table == name })
                #expect(digest.rowCount > TableRows.page, "\(name) is read at once")
            }
            let there = try site.moveToDatabase()
            #expect(Set(there.tables) == Set(digests))
            #expect(there.ledgerID == before.id && there.auditCount == 1)
            let database = try site.openedDatabase()
            #expect(database.id == before.id && database.timelineID == before.timelineID)
            #expect(database.numbering == before.numbering)
            await database.close()
            let back = try site.moveToFile()
            #expect(Set(back.tables) == Set(digests))
            let after = try site.openedFile()
            #expect(after.id == before.id && after.numbering == before.numbering)
            try await after.close()
            #expect(try LedgerFileCheck(path: site.path).findings == [])
            #expect(try Set(site.file.digests()) == Set(digests))
        }
    }

    /// A ledger that comes from a state directory has no content at hosts.
    @Test func whatHostsHaveDownloadedWaitsAfterAMove() async throws {
        try await MigrationSite.with { site in
            func downloads(_ begin: Bool) async throws -> [DownloadState] {
                let host = try site.openedDatabase(for: .host(HostIdentity(name: "a")))
                let states = try await host.commit { writer in
                    let record = try #require(writer.downloads(in: 1, afterKey: 0, limit: 1).first)
                    if begin {
                        var begun = record
                        begun.state = .active
                        try writer.update(begun)
                    }
                    return try [record.state] + writer.activeDownloads(limit: 9).map(\.state)
                }
                await host.close()
                return states
            }
            try site.moveToDatabase()
            #expect(try await downloads(true) == [.waiting, .active])
            try site.moveToFile()
            try site.moveToDatabase()
            #expect(try await downloads(false) == [.waiting])
        }
    }

    /// The first row of each table after a migration gets a key that no row has had.
    @Test func keysContinueAfterThoseOfRowsThatAreGone() async throws {
        try await MigrationSite.with { site in
            let last = try await Self.insertQueues(site.openedFile(), count: 2)
            try edit(site.path, "DELETE FROM queues WHERE key = \(last)")
            try site.moveToDatabase()
            let database = try site.openedDatabase()
            #expect(try await database.change { try $0.createQueue(.named("c")).key } == last + 1)
            let key = try await database.change { writer in
                var record = TransactionRecord.sample(last + 1, revision: 1)
                record.receipt = .sample("another header", 1)
                return try writer.insert(record)
            }
            #expect(key == Int64(MigrationSite.transactionCount) + 1)
            await database.close()
            try site.session().execute("DELETE FROM transactions WHERE key = \(key)")
            try site.session().execute("DELETE FROM queues WHERE key = \(last + 1)")
            try site.moveToFile()
            let file = try site.openedFile()
            #expect(try await file.change { try $0.createQueue(.named("d")).key } == last + 2)
            try await file.close()
        }
    }

    /// Without rows, only the sequence knows.
    @Test func keysOfAnEmptyTableContinue() async throws {
        try await MigrationSite.with { site in
            try edit(site.path, "DELETE FROM downloads; UPDATE sqlite_sequence SET seq = 41 WHERE name = 'downloads'")
            try site.moveToDatabase()
            #expect(try site.database().read { try $0.lastKeys()["downloads"] } == 41)
            try site.moveToFile()
            #expect(try site.file.read { try $0.lastKeys()["downloads"] } == 41)
        }
    }

    /// Older schemas stored it so.
    @Test func aReceiptThatIsTextBecomesBytes() async throws {
        try await MigrationSite.with { site in
            let id = try await site.openedFile().change { writer in
                var record = TransactionRecord.sample(1, revision: 1)
                record.receipt = SignedReceipt(header: "header", body: "no body")
                _ = try writer.insert(record)
                return record.id
            }
            try edit(site.path, "UPDATE transactions SET receipt = 'no body' WHERE id = x'\(id.bytes.hexadecimal)'")
            try site.moveToDatabase()
            let database = try site.openedDatabase()
            #expect(try await database.read { try $0.transaction(id)?.receipt?.body } == "no body")
            await database.close()
        }
    }

    @Test func aLedgerThatWasMovedIsRefusedAndNamesThePlace() async throws {
        try await MigrationSite.with { site in
            let old = try site.openedFile().id
            try site.moveToDatabase()
            #expect(Self.message { _ = try site.openedFile() }.contains("was moved to \(site.address.text). Start"))
            #expect(Self.message { _ = try LedgerFileCheck(path: site.path) }.contains("was moved to"))
            #expect(Self.message { try site.moveToDatabase() }.contains("was moved to \(site.address.text)"))
            let moved = try #require(try SQLiteLedger.whereMoved(path: site.path))
            #expect(moved == (old, site.address.text))
            try site.moveToFile()
            #expect(try SQLiteLedger.whereMoved(path: site.path) == nil)
            #expect(
                Self.message { _ = try site.openedDatabase() }.contains("was moved to /state. Start tilld with --state")
            )
        }
    }

    /// Programs that know no marks take it for one of a newer version.
    @Test func aMarkedLedgerHasASchemaThatNoVersionKnows() async throws {
        try await MigrationSite.with { site in
            try site.moveToDatabase()
            let queue = try DatabaseQueue(path: site.path, configuration: .guardingPages)
            let version = try await queue.read { try Int64.fetchOne($0, sql: "PRAGMA user_version") }
            try queue.close()
            #expect(version == LedgerMark.versionOffset + Int64(Schema.version))
        }
    }

    private static func insertQueues(_ ledger: SQLiteLedger, count: Int) async throws -> Int64 {
        let last = try await ledger.change { writer in
            try (0..<count).map { try writer.createQueue(.named("\($0)")).key }.last
        }
        try await ledger.close()
        return try #require(last)
    }

    static func message(_ body: () throws -> Void) -> String {
        do {
            try body()
            return "no error"
        } catch {
            return (error as? TillError)?.message ?? "\(error)"
        }
    }
}

extension QueueName {
    fileprivate static func named(_ application: String) -> QueueName {
        QueueName(application: application, account: "uid:1")
    }
}
