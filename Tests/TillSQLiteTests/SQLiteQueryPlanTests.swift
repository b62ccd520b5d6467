import FoundationEssentials
import GRDB
import Testing
import TillEngine
import TillModel

@testable import TillSQL
@testable import TillSQLite

@Suite("The plans of the SQLite ledger's queries")
struct SQLiteQueryPlanTests {
    /// A query, and SQLite's plan for each of its statements.
    struct Query: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var plans: [String]
        var run: @Sendable (SQLTransaction) throws -> Void

        init(_ name: String, _ plans: String..., run: @escaping @Sendable (SQLTransaction) throws -> Void) {
            testDescription = name
            self.plans = plans
            self.run = run
        }
    }

    @Test(arguments: queries + downloads)
    func queryReadsARange(_ query: Query) async throws {
        try await withTemporaryDirectory { directory in
            let ledger = try await Self.makeLedger(directory)
            let plans = try await ledger.connections.writer.write { try Self.plans(of: query, on: $0) }
            #expect(plans.map { $0.joined(separator: "\n") } == query.plans)
            try await ledger.close()
        }
    }

    /// A scan of an index from one end, or of the rows of a subquery, that a limit bounds is not a scan of a table.
    @Test(arguments: queries + downloads)
    func noPlanScansATable(_ query: Query) {
        let readsAll = ["last link of the audit log", "settings", "identities of all downloads"]
        let scans = query.plans.flatMap { $0.split(separator: "\n") }.filter { $0.hasPrefix("SCAN") }
        for scan in scans where !scan.contains(" USING INDEX ") && !["SCAN marked", "SCAN ended"].contains(scan) {
            #expect(readsAll.contains(query.testDescription), "\(scan)")
        }
    }

    /// A ledger with rows for the writing queries.
    private static func makeLedger(_ directory: String) async throws -> SQLiteLedger {
        let ledger = try SQLiteLedger(path: directory + "/ledger", logger: .silent)
        try await fill(ledger)
        return ledger
    }

    static func fill(_ ledger: any Ledger) async throws {
        try await ledger.commit { writer in
            let queue = try writer.createQueue(someQueue).key
            let key = try writer.insert(.sample(queue, revision: 1))
            _ = try writer.insert(ChargeRecord.sample(queue, key))
            try Self.writeDownload(writer)
            for revision in 2...4 {
                let kind = EventRecord.Kind.restoreFinished(id: .version7(), count: 0)
                try writer.insert(EventRecord(queue: queue, revision: UInt64(revision), kind: kind))
            }
        }
    }

    /// A transaction with a receipt and a download, in a queue of its own.
    private static func writeDownload(_ writer: any LedgerWriter) throws {
        let queue = try writer.createQueue(QueueName(application: "org.example.draw", account: "uid:1000")).key
        var record = TransactionRecord.sample(queue, revision: 1)
        record.receipt = .sample("header", 1)
        record.hasDownloads = true
        record.key = try writer.insert(record)
        _ = try writer.insert(DownloadRecord.sample(record))
    }

    private static func plans(of query: Query, on database: Database) throws -> [[String]] {
        let statements = Box<[String]>()
        statements.value = []
        database.trace { event in
            statements.value = (statements.value ?? []) + [event.expandedDescription]
        }
        let transaction = SQLTransaction(database: database)
        try query.run(transaction)
        try transaction.finish()
        database.trace(nil)
        return try statements.get().filter { !$0.hasPrefix("INSERT") }.map { sql in
            try Row.fetchAll(database, sql: "EXPLAIN QUERY PLAN \(sql)").compactMap { $0["detail"] as String? }
        }
    }
}
