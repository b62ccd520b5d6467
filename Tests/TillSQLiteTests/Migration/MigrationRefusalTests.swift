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
    "Migrations that are refused, and those that were interrupted",
    .enabled(if: PostgresCluster.isInstalled, "Debian's package postgresql-15 is not installed")
)
struct MigrationRefusalTests {
    /// A change of the ledger in the file, and what the error must name.
    struct Flaw: CustomTestStringConvertible {
        var testDescription: String
        var sql: String
        var words: [String]
    }

    private static let flaws = [
        Flaw(
            testDescription: "U+0000",
            sql: "UPDATE settings SET value = CAST(x'610062' AS TEXT) WHERE name = 'a'",
            words: ["Row a of the ledger's table settings", "column value", "U+0000"]
        ),
        Flaw(
            testDescription: "text that is not UTF-8",
            sql: "UPDATE queues SET account = CAST(x'FF' AS TEXT) WHERE key = 1",
            words: ["Row 1 of the ledger's table queues", "column account", "is not UTF-8"]
        ),
        Flaw(
            testDescription: "an identity of another length",
            sql: "UPDATE transactions SET id = x'00' WHERE key = 7",
            words: ["PostgreSQL refused"]
        ),
        Flaw(
            testDescription: "an audit log that was changed",
            sql: "UPDATE audit SET reason = 'another'",
            words: ["The audit log was changed from entry 1 on"]
        ),
        Flaw(
            testDescription: "a table that is not Till's",
            sql: "CREATE TABLE notes (key INTEGER PRIMARY KEY) STRICT",
            words: ["differ in the table notes"]
        ),
        Flaw(
            testDescription: "a column of a type that no ledger has",
            sql: "CREATE TABLE notes (key INTEGER PRIMARY KEY, weight REAL) STRICT",
            words: ["The column weight of the table notes has the type REAL"]
        ),
        Flaw(
            testDescription: "an older schema",
            sql: "PRAGMA user_version = 11",
            words: ["has schema 11, made by an older Till. Start and stop tilld once"]
        ),
    ]

    @Test(arguments: flaws)
    func aLedgerThatCannotMoveStaysAsItIs(_ flaw: Flaw) async throws {
        try await MigrationSite.with { site in
            try edit(site.path, flaw.sql)
            let message = LedgerMigrationTests.message { try site.moveToDatabase() }
            #expect(flaw.words.allSatisfy(message.contains), "\(message)")
            #expect(try site.database().standing() == .missing)
            guard case .usable = try site.file.standing() else {
                Issue.record("the ledger cannot be used any more")
                return
            }
        }
    }

    @Test func aLedgerOfPostgreSQLWithAnOlderSchemaIsRefused() async throws {
        try await MigrationSite.with { site in
            try site.moveToDatabase()
            try site.session().execute("UPDATE meta SET schema_version = 0")
            let message = LedgerMigrationTests.message { try site.moveToFile() }
            #expect(message.contains("has schema 0, made by an older Till. Start and stop tilld once"), "\(message)")
        }
    }

    @Test func aTargetWithALedgerIsRefused() async throws {
        try await MigrationSite.with { site in
            await (try site.openedDatabase()).close()
            let message = LedgerMigrationTests.message { try site.moveToDatabase() }
            #expect(message.hasPrefix("There is a ledger in \(site.address.text) already"), "\(message)")
            let back = LedgerMigrationTests.message { try site.moveToFile() }
            #expect(back.hasPrefix("There is a ledger in /state already"), "\(back)")
        }
    }

    @Test func placesInUseAreRefused() async throws {
        try await MigrationSite.with { site in
            let ledger = try site.openedDatabase()
            #expect(
                LedgerMigrationTests.message { try site.moveToDatabase() }.contains("Another daemon uses the ledger")
            )
            await ledger.close()
        }
    }

    /// What is not the same after the copy must not be used.
    @Test func aTargetThatHoldsSomethingElseIsNotKept() async throws {
        try await MigrationSite.with { site in
            let target = FaultyPlace(place: try site.database(), fault: .altersRow(of: "refunds"))
            let message = LedgerMigrationTests.message { _ = try site.migration(to: target).run() }
            #expect(message.hasPrefix("The table refunds is not the same after it was copied"), "\(message)")
            #expect(try target.place.standing() == .missing)
            try await site.openedFile().close()
        }
    }

    /// Stands for a crash at each step; the ledgers refuse to be used, or only the source can be.
    @Test(arguments: [FaultyPlace.Fault.failsAtChange(of: .source), .failsAtChange(of: .target)])
    func anInterruptedMigrationIsFinishedByTheNext(_ fault: FaultyPlace.Fault) async throws {
        try await MigrationSite.with { site in
            let digests = try Set(site.file.digests())
            #expect(throws: FaultyPlace.Interruption.self) { try site.interruptedMove(to: .database, fault) }
            #expect(
                LedgerMigrationTests.message { _ = try site.openedDatabase() }.contains(
                    "unfinished copy of the one in /state"
                )
            )
            try await Self.expectUsable(fault == .failsAtChange(of: .source)) { try await site.openedFile().close() }
            #expect(try Set(site.moveToDatabase().tables) == digests)
            await (try site.openedDatabase()).close()

            #expect(throws: FaultyPlace.Interruption.self) { try site.interruptedMove(to: .file, fault) }
            #expect(LedgerMigrationTests.message { _ = try site.openedFile() }.contains("unfinished copy"))
            try await Self.expectUsable(fault == .failsAtChange(of: .source)) {
                await (try site.openedDatabase()).close()
            }
            #expect(try Set(site.moveToFile().tables) == digests)
            try await site.openedFile().close()
            #expect(try LedgerFileCheck(path: site.path).findings == [])
        }
    }

    /// What a source bought after a crash is not lost: the next migration copies everything again.
    @Test func aSourceThatWasUsedAfterAnInterruptionIsCopiedAgain() async throws {
        try await MigrationSite.with { site in
            #expect(throws: FaultyPlace.Interruption.self) {
                try site.interruptedMove(to: .database, .failsAtChange(of: .source))
            }
            let ledger = try site.openedFile()
            try await ledger.commit { try $0.setSetting("later", to: "1") }
            try await ledger.close()
            try site.moveToDatabase()
            let database = try site.openedDatabase()
            #expect(try await database.read { try $0.settings()["later"] } == "1")
            await database.close()
        }
    }

    private static func expectUsable(_ isUsable: Bool, _ open: () async throws -> Void) async throws {
        guard isUsable else {
            await #expect(throws: TillError.self) { try await open() }
            return
        }
        try await open()
    }
}

extension MigrationSite {
    enum Side: Hashable {
        case file
        case database
    }

    func migration(to target: any MigrationPlace) -> LedgerMigration {
        LedgerMigration(from: file, to: target) { _ in }
    }

    func interruptedMove(to side: Side, _ fault: FaultyPlace.Fault) throws {
        let database = try database()
        let places: (any MigrationPlace, any MigrationPlace) = side == .database ? (file, database) : (database, file)
        var (source, target) = places
        switch fault {
        case .failsAtChange(of: .source): source = FaultyPlace(place: source, fault: fault)
        case .failsAtChange(of: .target), .altersRow: target = FaultyPlace(place: target, fault: fault)
        }
        _ = try LedgerMigration(from: source, to: target) { _ in }.run()
    }
}
