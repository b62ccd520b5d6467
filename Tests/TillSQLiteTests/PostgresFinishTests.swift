import FoundationEssentials
import ProcessTesting
import Testing
import TillEngine
import TillModel
import TillSQL
import TillSQLite

@testable import TillPostgres

/// Applications that finish their transactions in the ledger's database, with `till.finish(uuid)`.
@Suite(
    "Finishes in the PostgreSQL ledger's database",
    .enabled(if: PostgresCluster.isInstalled, "Debian's package postgresql-15 is not installed")
)
struct PostgresFinishTests {
    /// A role of the test's own, because tests run at the same time.
    private let role: ApplicationRole
    private let stranger: ApplicationRole

    init() throws {
        let name = UUID.version7().text
        role = try ApplicationRole("shop \(name)=\(someQueue.application)")
        stranger = try ApplicationRole("stranger \(name)=org.example.other")
    }

    @Test func aTransactionIsFinishedOnce() async throws {
        try await withLedger { ledger, shop in
            let record = try await insert(into: ledger, .purchased)
            #expect(try shop.finish(record.id))
            #expect(try !shop.finish(record.id))
            #expect(try await pending(ledger) == [record.key])
            #expect(try await ledger.read { try $0.finishesInDatabase(inQueue: record.queue + 1, limit: 9) } == [])
            try await finish(record, ledger)
            #expect(try await pending(ledger) == [])
            #expect(try !shop.finish(record.id))
        }
    }

    /// A transaction that was finished before by the daemon, and an isolation level of the application's transaction, which has
    /// read something before that.
    @Test(arguments: ["READ COMMITTED", "REPEATABLE READ", "SERIALIZABLE"])
    func whatADaemonHasFinishedIsNotFinishedAgain(_ level: String) async throws {
        try await withLedger { ledger, shop in
            let record = try await insert(into: ledger, .purchased)
            try shop.execute("BEGIN ISOLATION LEVEL \(level)")
            try shop.execute("SELECT 1")
            try await finish(record, ledger)
            if level == "READ COMMITTED" {
                #expect(try !shop.finish(record.id))
            } else {
                let error = #expect(throws: TillError.self) { try shop.finish(record.id) }
                #expect((error?.cause as? PostgresStatementError)?.state == "40001")
            }
            try shop.execute("ROLLBACK")
            #expect(try !shop.finish(record.id))
        }
    }

    @Test func aDaemonDoesNotWaitForAnApplication() async throws {
        try await withLedger { ledger, shop in
            let records = [try await insert(into: ledger, .purchased), try await insert(into: ledger, .failed)]
            try shop.execute("BEGIN")
            #expect(try shop.finish(records[0].id))
            #expect(try await reserve(records, ledger, isAnnounced: false) == [false, true])
            #expect(try await reserve(records, ledger, isAnnounced: true) == [false, true])
            #expect(try await pending(ledger) == [])
            try shop.execute("ROLLBACK")
            #expect(try await reserve(records, ledger, isAnnounced: true) == [true, true])
            try await finish(records[0], ledger)
            #expect(try !shop.finish(records[0].id))
            #expect(try shop.finish(records[1].id))
        }
    }

    /// The daemon's commit takes the application's finish over, whether it knew of it or not.
    @Test func aFinishThatADaemonRepeatsIsNotPending() async throws {
        try await withLedger { ledger, shop in
            let record = try await insert(into: ledger, .restored)
            #expect(try shop.finish(record.id))
            #expect(try await reserve([record], ledger, isAnnounced: false) == [true])
            try await finish(record, ledger)
            #expect(try await pending(ledger) == [])
        }
    }

    @Test(arguments: [TransactionState.purchasing, .deferred])
    func aTransactionWithoutAnOutcomeIsRefused(_ state: TransactionState) async throws {
        try await withLedger { ledger, shop in
            let record = try await insert(into: ledger, state)
            let error = #expect(throws: TillError.self) { try shop.finish(record.id) }
            #expect((error?.cause as? PostgresStatementError)?.state == "55000", "\(String(describing: error))")
        }
    }

    @Test func anotherApplicationsTransactionIsLikeNone() async throws {
        try await withLedger { ledger, shop in
            let queue = try await ledger.makeQueue(QueueName(application: "org.example.third", account: "uid:1"))
            let foreign = try await ledger.insert(.sample(queue, revision: 1, state: .purchased))
            for id in [foreign.id, .version7()] {
                let error = #expect(throws: TillError.self) { try shop.finish(id) }
                let cause = error?.cause as? PostgresStatementError
                #expect(cause?.state == "P0002" && cause?.message.contains("no transaction \(id.text)") == true)
            }
        }
    }

    @Test func aRoleFinishesForItsOwnApplicationsAlone() async throws {
        try await withLedger { ledger, shop in
            let record = try await insert(into: ledger, .purchased)
            let other = try Shop(stranger, shop.place)
            #expect(throws: TillError.self) { try other.finish(record.id) }
            try shop.place.session().execute("GRANT \(quoted(role)) TO \(quoted(stranger))")
            #expect(try other.finish(record.id), "a member of the role may, too")
        }
    }

    /// The function runs with the rights of the tables' owner, who is a superuser here.
    @Test func tablesOfTheCallersOwnAreNotUsed() async throws {
        try await withLedger { ledger, shop in
            let record = try await insert(into: ledger, .purchasing)
            let third = try await ledger.makeQueue(QueueName(application: "org.example.third", account: "uid:1"))
            let foreign = try await ledger.insert(.sample(third, revision: 1, state: .purchased))
            try shop.execute(
                """
                CREATE TEMP TABLE application_roles (role text, application text);
                INSERT INTO pg_temp.application_roles VALUES (session_user, 'org.example.third');
                CREATE TEMP TABLE transactions (key bigint, queue bigint, id uuid, place bigint);
                INSERT INTO pg_temp.transactions VALUES (\(record.key), \(record.queue), '\(record.id.text)', 1);
                SET search_path TO pg_temp;
                """
            )
            #expect(throws: TillError.self) { try shop.finish(record.id) }
            #expect(throws: TillError.self) { try shop.finish(foreign.id) }
        }
    }

    @Test(arguments: [
        "SELECT FROM transactions", "SELECT FROM finishes", "SELECT FROM application_roles", "SELECT FROM meta",
        "INSERT INTO finishes VALUES (1, 1, 1, 1)", "DELETE FROM finishes", "SELECT FROM payments",
        "INSERT INTO application_roles VALUES ('a', 'b')", "CREATE TABLE more (key bigint)",
        "CREATE FUNCTION finish(text) RETURNS boolean LANGUAGE sql AS 'SELECT true'", "DROP FUNCTION finish(uuid)",
    ])
    func aRoleMayDoNothingElse(_ statement: String) async throws {
        try await withLedger { _, shop in
            let error = #expect(throws: TillError.self) { try shop.execute(statement) }
            #expect(error?.code == .permissionDenied, "\(String(describing: error))")
        }
    }

    /// A daemon that keeps no finishes for applications would let one happen twice.
    @Test func theFirstRoleIsGrantedWithoutADaemon() async throws {
        try await withPostgresLedger { ledger, place in
            let setUp = { try place.setup(applicationRoles: [role]).run() }
            let error = #expect(throws: TillError.self) { try setUp() }
            #expect(error?.code == .failedPrecondition && error?.message.contains("Another daemon") == true)
            await ledger.close()
            #expect(try setUp().map(\.statements.isEmpty) == [true, true, true, false, false])
            let again = try place.opened()
            let more = try place.setup(applicationRoles: [role, stranger])
            #expect(try more.run().map(\.statements.isEmpty) == [true, true, true, true, true, false, false])
            #expect(try more.script(more.steps()) == "")
            let record = try await insert(into: again, .purchased)
            try await finish(record, again)
            #expect(try !Shop(role, place).finish(record.id))
            await again.close()
        }
    }

    /// What a daemon finished before the first role was granted has no row of its own.
    @Test func anOlderFinishIsKnown() async throws {
        try await withPostgresLedger { ledger, place in
            let record = try await insert(into: ledger, .purchased)
            try await finish(record, ledger)
            await ledger.close()
            try place.setup(applicationRoles: [role]).run()
            #expect(try !Shop(role, place).finish(record.id))
        }
    }

    /// A session that replaces a lost one must not go on without the finishes that applications see by now.
    @Test func aDaemonThatDoesNotKeepFinishesIsFenced() async throws {
        try await withPostgresLedger { ledger, place in
            await ledger.close()
            let progress = try LedgerProgress(of: place)
            try place.setup(applicationRoles: [role]).run()
            #expect(throws: PostgresSessionFailure.taken) { try progress.hasAdvanced(to: LedgerProgress(of: place)) }
        }
    }

    /// A move to another place would lose it.
    @Test func aLedgerWithAPendingFinishIsNotMoved() async throws {
        try await withPostgresLedger(applicationRoles: [role]) { ledger, place in
            let record = try await insert(into: ledger, .purchased)
            let shop = try Shop(role, place)
            #expect(try shop.finish(record.id))
            await ledger.close()
            try await withTemporaryDirectory { directory in
                let move = {
                    try LedgerMigration(
                        from: PostgresMigrationPlace(PostgresAddress(place.address), schema: place.schema),
                        to: SQLiteMigrationPlace(path: directory + "/ledger", name: "/state")
                    ) { _ in }.run()
                }
                let error = #expect(throws: TillError.self) { try move() }
                #expect(error?.code == .failedPrecondition && error?.message.contains("start tilld") == true)
                let again = try place.opened()
                try await finish(record, again)
                let other = try await insert(into: again, .purchased)
                await again.close()
                #expect(try move().ledgerID == ledger.id)
                let moved = #expect(throws: TillError.self) { try shop.finish(other.id) }
                #expect((moved?.cause as? PostgresStatementError)?.message.contains("was moved") == true)
            }
        }
    }

    @Test func aScriptGrantsWhatTheSetupGrants() async throws {
        try await withPostgresPlace { place in
            let setup = try place.setup(applicationRoles: [role, ApplicationRole("\(role.role)=org.example.more")])
            let steps = try setup.steps()
            #expect(
                steps.map(\.title).suffix(3) == [
                    "the role \(role.role)", "the right of \(role.role) to finish transactions of \(role.application)",
                    "the right of \(role.role) to finish transactions of org.example.more",
                ]
            )
            try place.session().execute(setup.script(steps))
            #expect(try setup.steps().flatMap(\.statements) == [])
        }
    }

    @Test(arguments: ["", "shop", "=org.example.notes", "shop=", "shop=org.example.notes=more", "shop=a b"])
    func aTextThatNamesNoRoleIsRefused(_ text: String) {
        let error = #expect(throws: TillError.self) { try ApplicationRole(text) }
        #expect(error?.code == .invalidArgument && error?.message.contains("ROLE=APPLICATION") == true)
    }

    @Test func aSuperuserIsRefused() async throws {
        try await withPostgresPlace { place in
            let owner = try ApplicationRole("postgres=\(someQueue.application)")
            let error = #expect(throws: TillError.self) { try place.setup(applicationRoles: [owner]).run() }
            #expect(error?.message.contains("--application-role") == true)
        }
    }
}

extension PostgresFinishTests {
    /// Runs `body` on a new ledger with a session of a role that may finish in it.
    private func withLedger(_ body: (PostgresLedger, Shop) async throws -> Void) async throws {
        try await withPostgresLedger(applicationRoles: [role, stranger]) { ledger, place in
            try await body(ledger, Shop(role, place))
        }
    }

    private func quoted(_ role: ApplicationRole) -> String {
        PostgresConnection.quoted(role.role)
    }

    private func insert(into ledger: PostgresLedger, _ state: TransactionState) async throws -> TransactionRecord {
        try await ledger.change { writer in
            let queue = try writer.queue(someQueue) ?? writer.createQueue(someQueue)
            var record = TransactionRecord.sample(
                queue.key,
                revision: try writer.advanceRevision(ofQueue: queue.key),
                state: state
            )
            record.key = try writer.insert(record)
            return record
        }
    }

    private func finish(_ record: TransactionRecord, _ ledger: PostgresLedger) async throws {
        try await ledger.commit { writer in
            var record = record
            record.finishedAt = time(9)
            try writer.update(record)
        }
    }

    private func pending(_ ledger: PostgresLedger) async throws -> [Int64] {
        try await ledger.read { try $0.finishesInDatabase(inQueue: nil, limit: 9) }
    }

    /// Whether a commit could keep applications from finishing each of the transactions.
    private func reserve(
        _ records: [TransactionRecord],
        _ ledger: PostgresLedger,
        isAnnounced: Bool
    ) async throws -> [Bool] {
        try await ledger.change { writer in
            if isAnnounced {
                try writer.willRead(records.map { .id($0.id) }, of: [])
            }
            return try records.map { try writer.reserveFinish(of: $0) }
        }
    }
}

/// A session of an application's role.
private struct Shop {
    let place: PostgresPlace
    private let session: PostgresConnection

    init(_ role: ApplicationRole, _ place: PostgresPlace) throws {
        self.place = place
        let encoded = role.role.replacing(" ", with: "%20")
        session = try PostgresConnection(
            to: place.address.replacing("user=postgres", with: "user=\(encoded)"),
            schema: place.schema
        )
    }

    func execute(_ sql: String) throws {
        try session.execute(sql)
    }

    /// Calls the function as an application does.
    func finish(_ id: UUID) throws -> Bool {
        let schema = PostgresConnection.quoted(place.schema)
        return try session.text("SELECT CAST(\(schema).finish(?1) AS text)", [SQLValue(id)])
            == "true"
    }
}

extension LedgerProgress {
    fileprivate init(of place: PostgresPlace) throws {
        self.init(fence: 0, commits: 0)
        try place.session().run("SELECT fence, commits FROM meta", []) { row in
            fence = row.integer(ofColumn: 0)
            commits = row.integer(ofColumn: 1)
        }
    }
}
