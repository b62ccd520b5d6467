import CSQLiteVFS
import FoundationEssentials
import GRDB
import GRDBSQLite
import Testing
@testable import TillSQLite

@Suite("The VFS between SQLite and the system")
struct VFSTests {
    /// Opens a database of its own with the VFS of that name.
    private func withConnection(
        _ path: String,
        vfs: String,
        _ body: (OpaquePointer) throws -> Void
    ) throws {
        _ = Configuration.guardingPages
        var connection: OpaquePointer?
        let result = unsafe sqlite3_open_v2(path, &connection, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, vfs)
        defer { unsafe sqlite3_close(connection) }
        try #require(result == SQLITE_OK)
        try unsafe body(#require(connection))
    }

    private func run(_ sql: String, _ connection: OpaquePointer) {
        let result = unsafe sqlite3_exec(connection, sql, nil, nil, nil)
        #expect(result == SQLITE_OK, "\(sql): \(unsafe String(cString: sqlite3_errmsg(connection)))")
    }

    /// Where the methods of a file are: SQLite's documented pointer, which belongs to the VFS that opened the file.
    private func methods(_ connection: OpaquePointer, _ control: CInt) throws -> UInt {
        var file: UnsafeMutablePointer<sqlite3_file>?
        try #require(unsafe sqlite3_file_control(connection, "main", control, &file) == SQLITE_OK)
        return try UInt(bitPattern: unsafe #require(file).pointee.pMethods)
    }

    @Test
    func aFileKeepsTheMethodsWithWhichItWasOpened() async throws {
        try await withTemporaryDirectory { directory in
            try unsafe withConnection(directory + "/ledger", vfs: "till") { connection in
                let database = try unsafe methods(connection, SQLITE_FCNTL_FILE_POINTER)
                #expect(unsafe till_sqlite_guard_pages(connection) == SQLITE_OK)
                #expect(unsafe till_sqlite_guards_pages(connection) != 0)
                #expect(try unsafe methods(connection, SQLITE_FCNTL_FILE_POINTER) == database)
                unsafe run("PRAGMA journal_mode = WAL; CREATE TABLE pages (key)", connection)
                let log = try unsafe methods(connection, SQLITE_FCNTL_JOURNAL_POINTER)
                #expect(unsafe till_sqlite_gather_log(connection) == SQLITE_OK)
                #expect(try unsafe methods(connection, SQLITE_FCNTL_JOURNAL_POINTER) == log)
                #expect(unsafe till_sqlite_gather_log(connection) == SQLITE_MISUSE, "twice")
                #expect(unsafe till_sqlite_guard_pages(connection) == SQLITE_MISUSE, "twice")
            }
        }
    }

    @Test
    func aConnectionWithAnotherVFSIsRefused() async throws {
        try await withTemporaryDirectory { directory in
            try unsafe withConnection(directory + "/database", vfs: "unix") { connection in
                #expect(unsafe till_sqlite_guard_pages(connection) == SQLITE_MISUSE)
                #expect(unsafe till_sqlite_guards_pages(connection) == 0)
                unsafe run("PRAGMA journal_mode = WAL; CREATE TABLE pages (key)", connection)
                #expect(unsafe till_sqlite_gather_log(connection) == SQLITE_MISUSE)
                #expect(unsafe till_sqlite_damaged_page(connection) == 0)
            }
        }
    }

    struct Mode: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var pragmas: String
    }

    static let modes = [
        Mode(testDescription: "a log", pragmas: "PRAGMA journal_mode = WAL"),
        Mode(
            testDescription: "a log and a mapped file",
            pragmas: "PRAGMA journal_mode = WAL; PRAGMA mmap_size = 1000000"
        ),
        Mode(testDescription: "a journal", pragmas: "PRAGMA journal_mode = DELETE; PRAGMA mmap_size = 1000000"),
        Mode(testDescription: "sorting in files", pragmas: "PRAGMA temp_store = FILE; PRAGMA cache_size = 2"),
    ]

    /// What a connection of another part of the process writes and reads.
    @Test(arguments: modes)
    func withoutBeingSwitchedOnItChangesNothing(_ mode: Mode) async throws {
        try await withTemporaryDirectory { directory in
            var contents: [Data] = []
            for vfs in ["unix", "till"] {
                let path = "\(directory)/\(vfs)"
                try unsafe withConnection(path, vfs: vfs) { connection in
                    let work = """
                        \(mode.pragmas);
                        CREATE TABLE pages (key INTEGER PRIMARY KEY, bytes BLOB);
                        WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 500)
                        INSERT INTO pages SELECT n, zeroblob(n * 20) FROM numbers;
                        CREATE INDEX longest ON pages (length(bytes) DESC, bytes);
                        DELETE FROM pages WHERE key % 7 = 0;
                        VACUUM;
                        PRAGMA wal_checkpoint(TRUNCATE);
                        PRAGMA integrity_check;
                        """
                    unsafe run(work, connection)
                }
                contents.append(try Data(contentsOf: URL(filePath: path)))
            }
            #expect(contents[0].count > 1_000_000)
            #expect(contents[0] == contents[1])
        }
    }
}
