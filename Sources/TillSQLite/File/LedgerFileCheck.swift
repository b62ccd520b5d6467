import Foundation
import GRDB
import TillModel
import TillSQL

/// What was found wrong with the files of a ledger that nobody has open.
package struct LedgerFileCheck: Sendable {
    /// Findings of SQLite's own checks that are listed.
    static let findingsMaximum = 100

    /// Pages of the file.
    package private(set) var pageCount = 0
    /// A sentence each; empty when all is well.
    package private(set) var findings: [String] = []

    /// Reads all pages of the ledger and of its log, checks their checksums, and has SQLite check what they say
    /// (`integrity_check`, `foreign_key_check`: https://sqlite.org/pragma.html). Then it compares the columns and marks of
    /// all transactions with their details. Changes nothing; blocks on the disk.
    ///
    /// - Throws: `failedPrecondition` when the file is not a ledger, or one that this version cannot read.
    package init(path: String) throws {
        let file = LedgerFile(path: path)
        do {
            try file.explained { try check(file) }
        } catch let error as TillError where error.code == .dataLoss {
            findings.append(error.message)
        }
    }

    private mutating func check(_ file: LedgerFile) throws {
        let size = try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? UInt64 ?? 0
        pageCount = Int(size) / LedgerFile.pageBytes
        if !file.hasLog {
            try file.requireChecksums()
            try addDamagedPages(file)
        }
        _ = try file.inspect()
        guard findings.isEmpty else {
            return
        }
        let pool = try file.openForReading()
        defer { try? pool.close() }
        let flaws = try pool.read { database in
            let structure = try String.fetchAll(database, sql: "PRAGMA integrity_check(\(Self.findingsMaximum))")
            let rows = SQLTransaction(database: database)
            return structure.filter { $0 != "ok" } + (try Self.brokenReferences(database))
                + (try rows.disagreements(limit: Self.findingsMaximum))
        }
        findings += flaws.map { "The ledger \(file.path) is damaged: \($0)." }
    }

    private mutating func addDamagedPages(_ file: LedgerFile) throws {
        let pages = try file.damagedPages(limit: Self.findingsMaximum)
        findings += pages.map { "The ledger \(file.path) is damaged: the checksum of page \($0) is wrong." }
    }

    /// Rows that refer to rows which are not there, counted by their tables.
    private static func brokenReferences(_ database: Database) throws -> [String] {
        try String.fetchAll(
            database,
            sql: """
                SELECT 'rows of ' || "table" || ' that refer to rows of ' || parent || ' which are not there: ' || count(*)
                FROM pragma_foreign_key_check GROUP BY "table", parent ORDER BY "table", parent
                """
        )
    }
}
