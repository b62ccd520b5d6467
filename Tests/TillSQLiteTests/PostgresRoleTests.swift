import ProcessTesting
import Testing
import TillEngine
import TillModel
import TillSQL

@testable import TillPostgres

/// The owner of a ledger's tables, and the daemon's role, which may change their rows alone. All other tests of the ledger in
/// PostgreSQL run with such a role, too.
@Suite(
    "The roles of a PostgreSQL ledger",
    .enabled(if: PostgresCluster.isInstalled, "Debian's package postgresql-15 is not installed")
)
struct PostgresRoleTests {
    /// A version of the tables after the newest.
    private static let newer = PostgresSchema.versions + [["CREATE TABLE more (key bigint PRIMARY KEY);"]]

    @Test func aSecondSetupFindsEverythingInPlace() async throws {
        try await withPostgresLedger { _, place in
            let steps = try place.setup().run()
            #expect(steps.count == 3)
            #expect(steps.flatMap(\.statements) == [])
            #expect(try place.setup().script(steps) == "")
        }
    }

    @Test func theScriptMakesWhatTheSetupMakes() async throws {
        try await withPostgresPlace { place in
            let setup = try place.setup()
            let script = setup.script(try setup.steps())
            #expect(try place.setup().steps().allSatisfy { $0.title.contains("role") || !$0.statements.isEmpty })
            try place.session().execute(script)
            #expect(try place.setup().steps().flatMap(\.statements) == [])
            try await place.opened().close()
        }
    }

    @Test(arguments: [
        "DROP TABLE settings", "ALTER TABLE settings ADD more text", "CREATE TABLE more (key bigint)",
        "CREATE INDEX more ON settings (value)", "TRUNCATE settings", "DROP VIEW payments",
        "ALTER TABLE settings DISABLE TRIGGER ALL", "DELETE FROM transactions", "DELETE FROM renewal_charges",
        "DELETE FROM refunds", "UPDATE audit SET reason = ''", "DELETE FROM audit", "DELETE FROM meta",
        "INSERT INTO meta (single) VALUES (2)", "CREATE ROLE more", "CREATE DATABASE more",
        "COPY settings TO PROGRAM 'true'", "ALTER ROLE till_daemon SUPERUSER",
    ])
    func theDaemonsRoleChangesRowsAlone(_ statement: String) async throws {
        try await withPostgresLedger { _, place in
            let session = try PostgresConnection(to: place.daemonAddress, schema: place.schema)
            let error = #expect(throws: TillError.self) { try session.execute(statement) }
            #expect(error?.code == .permissionDenied, "\(String(describing: error))")
        }
    }

    @Test func withoutTablesTheErrorNamesTheCommand() async throws {
        try await withPostgresPlace { place in
            let error = #expect(throws: TillError.self) { try place.opened() }
            #expect(error?.code == .failedPrecondition)
            #expect(error?.message.contains("no ledger") == true)
            #expect(error?.message.hasSuffix("tilld ledger init --ledger ADDRESS --daemon-role till_daemon") == true)
            try place.setup().run()
            try await place.opened().close()
        }
    }

    @Test func aRoleThatLacksARightIsRefusedBeforeItServes() async throws {
        try await withPostgresLedger { ledger, place in
            await ledger.close()
            try place.session().execute("REVOKE INSERT ON renewal_charges FROM till_daemon")
            let error = #expect(throws: TillError.self) { try place.opened() }
            #expect(error?.code == .failedPrecondition)
            #expect(error?.message.contains("may not use all tables") == true)
            let statements = try place.setup().run().flatMap(\.statements)
            #expect(statements.count == 2 && statements[1].hasPrefix("GRANT INSERT ON "), "\(statements)")
            try await place.opened().close()
        }
    }

    /// An administrator may keep tables of other uses in the schema.
    @Test func aTableThatIsNotTheLedgersNeedsNoRights() async throws {
        try await withPostgresLedger { ledger, place in
            await ledger.close()
            try place.session().execute("CREATE TABLE notes (text text)")
            try await place.opened().close()
            let steps = try place.setup().run()
            #expect(steps.flatMap(\.statements) == [])
        }
    }

    @Test func aRoleWithoutAnyRightIsRefused() async throws {
        try await withPostgresPlace { place in
            let steps = try LedgerSetup(address: place.address, schema: place.schema, daemonRole: nil).run()
            #expect(steps.count == 1)
            let error = #expect(throws: TillError.self) { try place.opened() }
            #expect(error?.code == .failedPrecondition)
            #expect(error?.message.contains("may not use all tables") == true)
        }
    }

    @Test func aNewerTillBringsTheTablesUpToDate() async throws {
        try await withPostgresLedger { ledger, place in
            let id = ledger.id
            await ledger.close()
            let session = try PostgresConnection(to: place.daemonAddress, schema: place.schema)
            let error = #expect(throws: TillError.self) {
                try PostgresSchema.createIfMissing(place.schema, session, versions: Self.newer)
            }
            #expect(error?.code == .failedPrecondition && error?.message.contains("an older ledger") == true)
            #expect(try place.setup(versions: Self.newer).run().map(\.statements.isEmpty) == [false, true, false])
            #expect(try place.setup(versions: Self.newer).run().map(\.statements.isEmpty) == [true, true, true])
            try PostgresSchema.createIfMissing(place.schema, session, versions: Self.newer)
            try session.execute("INSERT INTO more (key) VALUES (1)")
            #expect(try session.identity() == id)
            let older = #expect(throws: TillError.self) { try place.setup().run() }
            #expect(older?.message.contains("newer Till") == true)
        }
    }

    /// Tables must not change under a daemon, but rights may.
    @Test func aDaemonThatRunsKeepsItsTables() async throws {
        try await withPostgresLedger { ledger, place in
            let error = #expect(throws: TillError.self) { try place.setup(versions: Self.newer).run() }
            #expect(error?.code == .failedPrecondition && error?.message.contains("Another daemon") == true)
            try place.session().execute("REVOKE UPDATE ON renewal_charges FROM till_daemon")
            #expect(try place.setup().run().map(\.statements.isEmpty) == [true, true, false])
            _ = try await ledger.makeQueue()
        }
    }

    /// A role that is not restricted, how it is made, and what the error says of it.
    @Test(arguments: [
        ("postgres", "SELECT 1", "makes the tables itself"),
        ("till_super", "CREATE ROLE till_super SUPERUSER", "a superuser"),
        ("till_member", "CREATE ROLE till_member; GRANT postgres TO till_member", "a member of the role postgres"),
        (
            "till_former", "CREATE ROLE till_former; ALTER TABLE settings OWNER TO till_former",
            "an owner of the ledger's tables"
        ),
    ])
    func aRoleWithMorePowersIsRefused(_ role: String, _ statements: String, _ words: String) async throws {
        try await withPostgresLedger { _, place in
            let session = try place.session()
            try session.execute(statements)
            let setup = try LedgerSetup(address: place.address, schema: place.schema, daemonRole: role)
            let error = #expect(throws: TillError.self) { try setup.run() }
            #expect(error?.message.contains(words) == true, "\(String(describing: error))")
        }
    }

    @Test(arguments: ["", String(repeating: "é", count: 32), "a\u{0}b"])
    func aNameThatIsNoRolesIsRefused(_ name: String) throws {
        let address = try PostgresCluster.shared.get().address
        let error = #expect(throws: TillError.self) {
            try LedgerSetup(address: address, schema: "none", daemonRole: name)
        }
        #expect(error?.code == .invalidArgument)
    }

    /// A missing role is made, whatever its name, and may log in.
    @Test func aMissingRoleIsMade() async throws {
        try await withPostgresPlace { place in
            let name = "the \"Till\"; role é"
            let setup = try LedgerSetup(address: place.address, schema: place.schema, daemonRole: name)
            #expect(try setup.run().map(\.statements.isEmpty) == [false, false, false])
            #expect(try setup.run().map(\.statements.isEmpty) == [true, true, true])
            let sql = "SELECT CAST(rolcanlogin AND NOT rolsuper AS text) FROM pg_roles WHERE rolname = ?1"
            #expect(try place.session().text(sql, [SQLValue(name)]) == "true")
        }
    }

    /// The owner needs no more than to create a schema in the database, if the daemon's role exists.
    @Test func theOwnerNeedNotBeASuperuser() async throws {
        try await withPostgresPlace { place in
            try place.session().execute(
                "CREATE ROLE till_owner LOGIN; GRANT CREATE ON DATABASE postgres TO till_owner"
            )
            let address = try PostgresCluster.shared.get().address(of: "till_owner")
            let error = #expect(throws: TillError.self) {
                try LedgerSetup(address: address, schema: place.schema, daemonRole: "till_unknown").run()
            }
            #expect(error?.code == .permissionDenied && error?.message.contains("create role") == true)
            #expect(try !place.session().hasTable("meta", in: place.schema), "nothing is made without the rest")
            try LedgerSetup(address: address, schema: place.schema, daemonRole: place.role).run()
            try await place.opened().close()
        }
    }
}
