import CSQLiteVFS
import FoundationEssentials
import GRDB
import GRDBSQLite
import Glibc
import Testing
@testable import TillSQLite

@Suite("Gathered writes of a commit to the log")
struct GatheredLogTests {
    struct Work: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// Of the writer, in KiB; when it is small, pages go to the log before the commit.
        var cache = LedgerFile.cacheKibibytes
        var transactions: [String]
        /// What ends the last of them.
        var end = Database.TransactionCompletion.commit
    }

    /// Two megabytes.
    private static let fill = """
        WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 500)
        INSERT INTO pages SELECT n, randomblob(4000) FROM numbers;
        """
    private static let change = "UPDATE pages SET bytes = randomblob(4000) WHERE key % 7 = 0;"

    static let works = [
        Work(testDescription: "a row", transactions: ["INSERT INTO pages VALUES (1, x'01')"]),
        Work(
            testDescription: "one row after another",
            transactions: (1...50).map { "INSERT INTO pages VALUES (\($0), randomblob(100))" }
        ),
        Work(
            testDescription: "a row larger than what is gathered",
            transactions: ["INSERT INTO pages VALUES (1, randomblob(\(3 * TILL_SQLITE_LOG_CAPACITY)))"]
        ),
        Work(testDescription: "all pages again", transactions: [fill, "UPDATE pages SET bytes = randomblob(4000)"]),
        Work(
            testDescription: "pages before their commit",
            cache: 64,
            transactions: [fill, change, "DELETE FROM pages"]
        ),
        Work(
            testDescription: "pages before their commit, and then again",
            cache: 64,
            transactions: [fill, change + change + "UPDATE pages SET bytes = x'02' WHERE key % 5 = 0;" + change]
        ),
        Work(
            testDescription: "a part taken back",
            cache: 64,
            transactions: [fill + "SAVEPOINT part;" + change + "ROLLBACK TO part; RELEASE part", change]
        ),
        Work(testDescription: "all taken back", cache: 64, transactions: [fill, change], end: .rollback),
    ]

    private func withWriter(_ body: (_ path: String, DatabasePool) throws -> Void) async throws {
        try await withTemporaryDirectory { directory in
            let path = directory + "/ledger"
            let file = LedgerFile(path: path)
            _ = try file.createIfMissing()
            let pool = try file.openForWriting()
            try pool.write { try $0.execute(sql: "CREATE TABLE pages (key INTEGER PRIMARY KEY, bytes BLOB)") }
            try body(path, pool)
            try pool.close()
        }
    }

    private func rows(_ database: Database) throws -> [Row] {
        try Row.fetchAll(database, sql: "SELECT key, bytes FROM pages ORDER BY key")
    }

    /// The state that a process would find after a kill now.
    private func rowsAfterKill(_ path: String) throws -> [Row] {
        let copy = path + "-copy"
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: path + suffix, toPath: copy + suffix)
        }
        defer {
            for suffix in ["", "-wal", "-shm"] {
                try? FileManager.default.removeItem(atPath: copy + suffix)
            }
        }
        let queue = try DatabaseQueue(path: copy, configuration: .guardingPages)
        let found = try queue.read { database in
            #expect(try String.fetchAll(database, sql: "PRAGMA integrity_check") == ["ok"])
            return try rows(database)
        }
        try queue.close()
        return found
    }

    @Test(arguments: works)
    func readersAndTheProcessAfterAKillFindAllCommits(_ work: Work) async throws {
        try await withWriter { path, pool in
            for (index, transaction) in work.transactions.enumerated() {
                let expected = try pool.writeWithoutTransaction { database in
                    try database.execute(sql: "PRAGMA cache_size = -\(work.cache)")
                    try database.inTransaction(.immediate) {
                        try database.execute(sql: transaction)
                        return index == work.transactions.count - 1 ? work.end : .commit
                    }
                    return try rows(database)
                }
                #expect(try pool.read(rows) == expected, "after transaction \(index)")
                #expect(try rowsAfterKill(path) == expected, "after transaction \(index)")
            }
        }
    }

    @Test
    func alsoWhereTheLogIsRestarted() async throws {
        try await withWriter { path, pool in
            for mode in [Database.CheckpointMode.passive, .restart, .truncate, .restart] {
                try pool.write { try $0.execute(sql: "DELETE FROM pages;" + Self.fill) }
                let checkpointer = try DatabaseQueue(path: path, configuration: .guardingPages)
                _ = try checkpointer.writeWithoutTransaction { try $0.checkpoint(mode) }
                try checkpointer.close()
                let expected = try pool.write { database in
                    try database.execute(sql: Self.change)
                    return try rows(database)
                }
                #expect(try pool.read(rows) == expected, "after \(mode)")
                #expect(try rowsAfterKill(path) == expected, "after \(mode)")
            }
        }
    }

    /// The calls that this thread has made to write to files.
    private func writeCalls() throws -> Int? {
        try String(contentsOfFile: "/proc/thread-self/io", encoding: .utf8).split(separator: "\n")
            .first { $0.hasPrefix("syscw: ") }.flatMap { Int($0.dropFirst(7)) }
    }

    @Test
    func aCommitOfManyPagesIsOneWrite() async throws {
        try await withWriter { _, pool in
            try pool.writeWithoutTransaction { database in
                try database.execute(sql: Self.fill)
                let before = try #require(try writeCalls())
                try database.execute(sql: "UPDATE pages SET bytes = x'03' WHERE key BETWEEN 100 AND 120")
                #expect(try #require(try writeCalls()) - before == 1, "for more than 20 pages")
            }
        }
    }

    /// Runs `body` with a full disk for what this process writes to the file, which is open once.
    private func withoutSpace(_ path: String, _ body: () throws -> Void) throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
        let name = names.first {
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == path
        }
        let descriptor = try #require(name.flatMap(CInt.init))
        let file = dup(descriptor)
        let full = unsafe open("/dev/full", O_RDWR)
        dup2(full, descriptor)
        defer {
            dup2(file, descriptor)
            close(full)
            close(file)
        }
        try body()
    }

    @Test
    func afterAFailedWriteNothingIsCommitted() async throws {
        try await withTemporaryDirectory { directory in
            let path = directory + "/database"
            let queue = try DatabaseQueue(path: path)
            let before = try queue.inDatabase { database in
                try database.execute(
                    sql: """
                        PRAGMA journal_mode = WAL;
                        PRAGMA synchronous = FULL;
                        PRAGMA cache_size = -\(LedgerFile.cacheKibibytes);
                        CREATE TABLE pages (key INTEGER PRIMARY KEY, bytes BLOB);
                        \(Self.fill)
                        """
                )
                let before = try rows(database)
                let connection = unsafe database.sqliteConnection
                #expect(unsafe till_sqlite_gather_log(connection) == SQLITE_OK)
                try withoutSpace(path + "-wal") {
                    #expect(unsafe sqlite3_exec(connection, Self.change, nil, nil, nil) == SQLITE_FULL)
                }
                #expect(unsafe sqlite3_exec(connection, Self.change, nil, nil, nil) == SQLITE_FULL)
                return before
            }
            #expect(try rowsAfterKill(path) == before)
            try queue.close()
        }
    }

    @Test
    func aConnectionWithoutALogIsRefused() throws {
        let queue = try DatabaseQueue()
        queue.inDatabase { database in
            #expect(unsafe till_sqlite_gather_log(database.sqliteConnection) == SQLITE_MISUSE)
        }
        try queue.close()
    }
}
