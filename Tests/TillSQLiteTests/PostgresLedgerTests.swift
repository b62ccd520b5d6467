import FoundationEssentials
import Logging
import ProcessTesting
import Testing
import TillEngine
import TillModel
import TillProviders

@testable import TillPostgres
@testable import TillSQL

@Suite(
    "The PostgreSQL ledger",
    .enabled(if: PostgresCluster.isInstalled, "Debian's package postgresql-15 is not installed")
)
struct PostgresLedgerTests {
    @Test func aLedgerThatIsOpenedAgainIsTheSame() async throws {
        try await withPostgresLedger { ledger, place in
            let queue = try await ledger.makeQueue()
            let record = try await ledger.insert(.sample(queue, revision: 1))
            await ledger.close()
            let again = try place.opened()
            #expect(again.id == ledger.id && again.timelineID == ledger.timelineID)
            #expect(again.numbering == ledger.numbering)
            #expect(try await again.read { try $0.transaction(record.id) } == record)
            let next = try await again.insert(.sample(queue, revision: 2))
            #expect(next.key == record.key + 1)
            await again.close()
        }
    }

    @Test func oneDaemonAtATimeHasTheLedger() async throws {
        try await withPostgresLedger { ledger, place in
            let error = #expect(throws: TillError.self) { try place.opened() }
            #expect(error?.code == .failedPrecondition && error?.message.contains("Another daemon") == true)
            await ledger.close()
            try await place.opened().close()
        }
    }

    @Test func aReaderThatLostItsSessionGetsAnother() async throws {
        let cluster = try PostgresCluster()
        defer { try? cluster.stop() }
        let place = PostgresPlace(address: cluster.address)
        let ledger = try place.opened()
        _ = try await ledger.read { try $0.settings() }
        let readers = "FROM pg_stat_activity WHERE query = 'COMMIT' AND pid <> \(ledger.serverProcess)"
        var ended = 0
        try place.session().run("SELECT pg_terminate_backend(pid) \(readers)", []) { _ in ended += 1 }
        #expect(ended == 1)
        for _ in 0..<(2 * ReaderPool.count) {
            #expect(try await ledger.read { try $0.settings() }.isEmpty)
        }
        await ledger.close()
    }

    /// PostgreSQL answers COMMIT without an error although it rolls back.
    @Test func aCommitWithAFailedStatementIsNotAnswered() async throws {
        try await withPostgresLedger { ledger, _ in
            let error = await #expect(throws: TillError.self) {
                try await ledger.commit { writer in
                    try writer.setSetting("locale", to: "de-DE")
                    #expect(throws: TillError.self) {
                        try writer.insert(RefundRecord.sample(.sample(77, revision: 1)))
                    }
                }
            }
            #expect(error?.code == .internal)
            #expect(try await ledger.read { try $0.settings() }.isEmpty)
            try await ledger.commit { try $0.setSetting("locale", to: "de-DE") }
        }
    }

    @Test func aCommitSendsOneStatementForAllRowsOfATable() async throws {
        let cluster = try PostgresCluster(settings: PostgresCluster.loggingStatements)
        defer { try? cluster.stop() }
        let ledger = try PostgresPlace(address: cluster.address).opened()
        let queue = try await ledger.makeQueue()
        let add = { @Sendable in
            try await ledger.commit { writer in
                let records = (0..<20).map { _ in TransactionRecord.sample(queue, revision: 0) }
                try writer.willRead(records.map { .id($0.id) }, of: [])
                for var record in records where try writer.transaction(record.id) == nil {
                    record.revision = try writer.advanceRevision(ofQueue: queue)
                    _ = try writer.insert(record)
                }
            }
        }
        // The first one prepares the statements, and reads the queue.
        try await add()
        let before = try cluster.statements(ofProcess: ledger.serverProcess).count
        try await add()
        let sent = try cluster.statements(ofProcess: ledger.serverProcess).dropFirst(before)
        let beginnings = sent.map { $0.split(separator: " ").prefix(2).joined(separator: " ") }
        #expect(beginnings == ["BEGIN", "SELECT t.key,", "INSERT INTO", "UPDATE queues", "UPDATE meta", "COMMIT"])
        await ledger.close()
    }

    @Test func textThatPostgreSQLCannotStoreIsRefused() async throws {
        try await withPostgresLedger { ledger, _ in
            let error = await #expect(throws: TillError.self) {
                try await ledger.commit { try $0.setSetting("a\u{0}b", to: "") }
            }
            #expect(error?.code == .invalidArgument)
            let settings = try await ledger.read { try $0.settings() }
            #expect(settings.isEmpty)
        }
    }

    /// PostgreSQL's details of an error have the values of the row, which belongs to another account than the client's. They
    /// are for no log either.
    @Test(arguments: [
        "INSERT INTO settings (name, value) VALUES ('canary', ''), ('canary', '')",
        "INSERT INTO settings (name) VALUES ('canary')",
        "INSERT INTO queues (application, account, revision) VALUES ('canary', '', -1)",
        "INSERT INTO joined_restores (id, restore_id) VALUES (gen_random_uuid(), CAST(md5('canary') AS uuid))",
    ])
    func anErrorLeavesOutTheValuesOfRows(_ statement: String) async throws {
        try await withPostgresLedger { _, place in
            let session = try place.session()
            let error = #expect(throws: TillError.self) { try session.execute(statement) }
            let cause = error?.cause as? PostgresStatementError
            #expect(cause?.state.hasPrefix("23") == true)
            let texts = [error?.message, cause?.message].compactMap(\.self).joined(separator: " ")
            #expect(!texts.contains("canary") && !texts.contains(Self.canaryDigest), "\(texts)")
        }
    }

    /// The MD5 of `canary`, as a UUID is written.
    private static let canaryDigest = "1a93b59c"

    @Test func aLedgerOfANewerTillIsRefused() async throws {
        try await withPostgresLedger { ledger, place in
            await ledger.close()
            try place.session().execute("UPDATE meta SET schema_version = \(PostgresSchema.version + 1)")
            let error = #expect(throws: TillError.self) { try place.opened() }
            #expect(error?.code == .failedPrecondition && error?.message.contains("newer Till") == true)
        }
    }

    @Test func aLedgerOfAnOlderTillIsBroughtUpToDate() async throws {
        try await withPostgresLedger { ledger, place in
            let queue = try await ledger.makeQueue()
            let kept = try await ledger.insert(.sample(queue, revision: 1))
            await ledger.close()
            try place.session().execute(
                """
                DROP FUNCTION finish(uuid);
                DROP TABLE finishes, application_roles, hosts, simulated_entries, host_downloads;
                ALTER TABLE meta
                    DROP COLUMN fence, DROP COLUMN commits, DROP COLUMN shares_finishes, DROP COLUMN lone_openings;
                ALTER TABLE audit DROP COLUMN host;
                UPDATE meta SET schema_version = 1;
                """
            )
            try place.setup().run()
            let again = try place.opened()
            #expect(try await again.read { try $0.transaction(kept.id) } == kept)
            _ = try await again.insert(.sample(queue, revision: 2))
            await again.close()
            try await place.opened().close()
        }
    }

    @Test func aServerThatMayLosePaymentsIsRefused() throws {
        let cluster = try PostgresCluster(settings: ["fsync=off"])
        let error = #expect(throws: TillError.self) { try PostgresLedger(address: cluster.address, logger: .silent) }
        #expect(error?.code == .failedPrecondition && error?.message.contains("fsync") == true)
    }

    @Test(arguments: ["host=/nowhere", "postgresql://127.0.0.1:1/till", "not an address"])
    func anAddressWithoutAServerIsExplained(_ address: String) {
        let error = #expect(throws: TillError.self) { try PostgresLedger(address: address, logger: .silent) }
        #expect(error?.code == .unavailable && error?.message.contains("\n") == false)
    }
}

@Suite(
    "The plans of the PostgreSQL ledger's queries",
    .enabled(if: PostgresCluster.isInstalled, "Debian's package postgresql-15 is not installed")
)
struct PostgresQueryPlanTests {
    /// Those that read a whole table on purpose.
    private static let readsAll = ["last link of the audit log", "settings", "identities of all downloads"]

    @Test func noPlanOfAFinishReadsATable() async throws {
        try await withPostgresLedger { ledger, place in
            let session = try place.session()
            try session.preferIndexes()
            let explaining = ExplainingConnection(session)
            let memory = LedgerMemory(sharesFinishes: true, logger: nil)
            let record = try await ledger.insert(.sample(ledger.makeQueue(), revision: 1, state: .purchased))
            try session.execute("BEGIN")
            let transaction = memory.makeWriter(on: explaining)
            for queue in [nil, record.queue] {
                _ = try transaction.finishesInDatabase(inQueue: queue, limit: 9)
            }
            #expect(try transaction.reserveFinish(of: record))
            var finished = record
            finished.finishedAt = time(9)
            try transaction.update(finished)
            try transaction.finish()
            try session.execute("ROLLBACK")
            #expect(explaining.plans.contains { $0.contains("finishes_pending") })
            #expect(explaining.plans.allSatisfy { !$0.contains("Seq Scan") }, "\(explaining.plans)")
        }
    }

    @Test func noPlanOfTheSimulatedRecordReadsATable() async throws {
        try await withPostgresLedger { _, place in
            let session = try place.session()
            try session.preferIndexes()
            let explaining = ExplainingConnection(session)
            try session.execute("BEGIN")
            let entries = SimulatedEntries(explaining)
            let call = SimulatedCall.charge(PostgresSimulatedStoreTests.request())
            let charge = try #require(SimulatedBook().entry(for: call, at: time(1)))
            try entries.add([charge])
            try entries.addMissing([charge])
            #expect(try entries.ofRefund(UUID()) == [] && entries.all() == [charge] && !entries.isEmpty())
            #expect(try entries.charges(after: 0, limit: 9).charges.map(\.paymentID) == [charge.paymentID])
            try session.execute("ROLLBACK")
            #expect(explaining.plans.contains { $0.contains("simulated_entries_of_payment") })
            #expect(explaining.plans.allSatisfy { !$0.contains("Seq Scan") }, "\(explaining.plans)")
        }
    }

    @Test func noPlanOfAHostsDownloadsReadsATable() async throws {
        try await withPostgresHosts(1) { hosts, place in
            try await SQLiteQueryPlanTests.fill(hosts[0])
            let session = try place.session()
            try session.preferIndexes()
            let explaining = ExplainingConnection(session)
            let memory = LedgerMemory(host: "a", logger: nil)
            try session.execute("BEGIN")
            let transaction = memory.makeWriter(on: explaining)
            for query in SQLiteQueryPlanTests.downloads {
                try query.run(transaction)
            }
            _ = try transaction.endedDownloads(limit: 9)
            try transaction.deleteEndedDownload(1)
            try transaction.finish()
            try session.execute("ROLLBACK")
            #expect(explaining.plans.contains { $0.contains("host_downloads_by_revision") })
            #expect(explaining.plans.allSatisfy { !$0.contains("Seq Scan") }, "\(explaining.plans)")
        }
    }

    /// PostgreSQL reads small tables whole, so it is told to prefer any index; what it still reads whole has none.
    @Test(arguments: SQLiteQueryPlanTests.queries + SQLiteQueryPlanTests.downloads)
    func noPlanReadsATable(_ query: SQLiteQueryPlanTests.Query) async throws {
        try await withPostgresLedger { ledger, place in
            try await SQLiteQueryPlanTests.fill(ledger)
            let session = try place.session()
            try session.preferIndexes()
            let explaining = ExplainingConnection(session)
            let transaction = SQLTransaction(explaining)
            try session.execute("BEGIN")
            try query.run(transaction)
            try transaction.finish()
            try session.execute("ROLLBACK")
            #expect(!explaining.plans.isEmpty)
            for plan in explaining.plans where plan.contains("Seq Scan") {
                #expect(Self.readsAll.contains(query.testDescription), "\(plan)")
            }
        }
    }
}
