import FoundationEssentials
import GRDB
import Testing
import TillEngine
import TillModel

@testable import TillSQLite

@Suite("Files and rows that the SQLite ledger refuses")
struct SQLiteRefusalTests {
    struct BadFile: CustomTestStringConvertible {
        var testDescription: String
        var code: TillError.Code
        var message: String
        /// Puts it at the path, where there is a sound, closed ledger.
        var make: @Sendable (String) throws -> Void
    }

    static let badFiles = [
        BadFile(testDescription: "text", code: .dataLoss, message: "is not a database") {
            try Data(String(repeating: "Lorem ipsum. ", count: 1_000).utf8).write(to: URL(filePath: $0))
        },
        BadFile(testDescription: "empty", code: .dataLoss, message: "is empty") {
            try Data().write(to: URL(filePath: $0))
        },
        BadFile(testDescription: "half of it", code: .dataLoss, message: "is damaged") { path in
            let whole = try Data(contentsOf: URL(filePath: path))
            try whole.prefix(whole.count / 2).write(to: URL(filePath: path))
        },
        BadFile(testDescription: "less than a page", code: .dataLoss, message: "is") { path in
            try Data(contentsOf: URL(filePath: path)).prefix(1_000).write(to: URL(filePath: path))
        },
        BadFile(testDescription: "directory", code: .failedPrecondition, message: "is not a file") { path in
            try FileManager.default.removeItem(atPath: path)
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        },
        BadFile(testDescription: "log alone", code: .dataLoss, message: "without its ledger") { path in
            try FileManager.default.moveItem(atPath: path, toPath: path + "-wal")
        },
        BadFile(testDescription: "another's", code: .failedPrecondition, message: "not a ledger of Till") { path in
            try FileManager.default.removeItem(atPath: path)
            try edit(path, "CREATE TABLE notes (text TEXT)")
        },
        BadFile(testDescription: "newer", code: .failedPrecondition, message: "newer Till") { path in
            try edit(path, "PRAGMA user_version = \(Schema.version + 1)")
        },
        BadFile(testDescription: "without identity", code: .dataLoss, message: "has lost its identity") { path in
            try edit(path, "DELETE FROM meta")
        },
        BadFile(testDescription: "short identity", code: .dataLoss, message: "Row 1 of the ledger's table meta") {
            path in
            try edit(path, "UPDATE meta SET ledger_id = x'00'")
        },
    ]

    @Test(arguments: badFiles)
    func badFileIsRefusedWithItsPathAndTheReason(_ bad: BadFile) async throws {
        try await withTemporaryDirectory { directory in
            let path = directory + "/ledger"
            try await SQLiteLedger(path: path, logger: .silent).close()
            try bad.make(path)
            let error = #expect(throws: TillError.self) { try SQLiteLedger(path: path, logger: .silent) }
            #expect(error?.code == bad.code)
            #expect(error?.message.contains(bad.message) == true, "\(String(describing: error))")
            if bad.testDescription != "short identity" {
                #expect(error?.message.contains(path) == true, "\(String(describing: error))")
            }
        }
    }

    @Test(arguments: ["missing/ledger", "file/ledger"])
    func ledgerInNoDirectoryIsRefused(_ name: String) async throws {
        try await withTemporaryDirectory { directory in
            try Data("x".utf8).write(to: URL(filePath: directory + "/file"))
            let path = "\(directory)/\(name)"
            let error = #expect(throws: TillError.self) { try SQLiteLedger(path: path, logger: .silent) }
            #expect(error?.code == .failedPrecondition)
            #expect(error?.message.contains(path) == true)
        }
    }

    @Test
    func ledgerThatIsNotThereIsNotMadeForReading() async throws {
        try await withTemporaryDirectory { directory in
            let path = directory + "/ledger"
            let error = #expect(throws: TillError.self) { try SQLiteLedger.openReadOnly(path: path) }
            #expect(error?.code == .failedPrecondition)
            #expect(!FileManager.default.fileExists(atPath: path))
        }
    }

    @Test
    func anIncompleteLedgerIsCreatedAgain() async throws {
        try await withTemporaryDirectory { directory in
            let path = directory + "/ledger"
            for suffix in [".new", ".new-journal", ".new-wal", ".new-shm"] {
                try Data("half".utf8).write(to: URL(filePath: path + suffix))
            }
            try await SQLiteLedger(path: path, logger: .silent).close()
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == ["ledger"])
        }
    }

    /// A crash during the change of the mode leaves a journal, with which the ledger cannot be opened to be looked at.
    @Test
    func newLedgerGetsItsNameOnlyInTheModeThatItIsUsedIn() async throws {
        try await withTemporaryDirectory { directory in
            let path = directory + "/ledger"
            _ = try LedgerFile(path: path).createIfMissing()
            var configuration = Configuration()
            configuration.readonly = true
            let database = try DatabaseQueue(path: path, configuration: configuration)
            let mode = try await database.read { try String.fetchOne($0, sql: "PRAGMA journal_mode") }
            try database.close()
            #expect(mode == "wal")
        }
    }

    @Test
    func damageIsFoundAfterAnUncleanStop() async throws {
        try await withTemporaryDirectory { directory in
            let path = directory + "/ledger"
            let ledger = try SQLiteLedger(path: path, logger: .silent)
            let queue = try await ledger.makeQueue()
            _ = try await ledger.insert((1...500).map { .sample(queue, revision: $0) })
            try await ledger.checkpointer?.checkpoint()
            // As it would be after a crash now: marked unclean, and sound.
            let file = try Data(contentsOf: URL(filePath: path))
            try await ledger.close()

            let sound = directory + "/sound"
            try file.write(to: URL(filePath: sound))
            try await SQLiteLedger(path: sound, logger: .silent).close()

            let damaged = directory + "/damaged"
            var bytes = file
            let page = try rootPage(of: "transactions_log", in: sound)
            let middle = (page - 1) * 4_096 + 2_048
            bytes.replaceSubrange(middle..<(middle + 2_048), with: Data(repeating: 0xA5, count: 2_048))
            try bytes.write(to: URL(filePath: damaged))
            let error = #expect(throws: TillError.self) { try SQLiteLedger(path: damaged, logger: .silent) }
            #expect(error?.code == .dataLoss)
            #expect(error?.message.contains("is damaged") == true, "\(String(describing: error))")
        }
    }

    private func rootPage(of name: String, in path: String) throws -> Int {
        let queue = try DatabaseQueue(path: path, configuration: .guardingPages)
        let page = try queue.read { database in
            try Int.fetchOne(database, sql: "SELECT rootpage FROM sqlite_schema WHERE name = ?", arguments: [name])
        }
        try queue.close()
        return try #require(page)
    }
}
