import Foundation
import GRDB
package import TillModel

/// What was found wrong with the files of a ledger that nobody has open.
package struct LedgerFileCheck: Sendable {
    /// Findings of SQLite's own checks that are listed.
    static let findingsMaximum = 100

    /// Pages of the file.
    package private(set) var pageCount = 0
    /// A sentence each; empty when all is well.
    package private(set) var findings: [String] = []

    /// Reads all pages of the ledger and of its log, checks their checksums, and has SQLite check what they say
    /// (`integrity_check`, `foreign_key_check`: https://sqlite.org/pragma.html). Changes nothing; blocks on the disk.
    ///
    /// - Throws: `failedPrecondition` when the file is no ledger that this version can read.
    package init(path: String) throws(TillError) {
        do {
            try check(LedgerFile(path: path))
        } catch let error as TillError where error.code == .dataLoss {
            findings.append(error.message)
        } catch let error as TillError {
            throw error
        } catch {
            let explanation = LedgerFile.explanation(of: error, path: path)
            guard explanation.code == .dataLoss else {
                throw explanation
            }
            findings.append(explanation.message)
        }
    }

    private mutating func check(_ file: LedgerFile) throws {
        let size = try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? UInt64 ?? 0
        pageCount = Int(size) / LedgerFile.pageBytes
        if !file.hasLog {
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
            let keys = try Row.fetchCursor(database, sql: "PRAGMA foreign_key_check")
            return structure.filter { $0 != "ok" } + (try Self.sentences(of: keys))
        }
        findings += flaws.map { "The ledger \(file.path) is damaged: \($0)." }
    }

    private mutating func addDamagedPages(_ file: LedgerFile) throws {
        let pages = try file.damagedPages(limit: Self.findingsMaximum)
        findings += pages.map { "The ledger \(file.path) is damaged: the checksum of page \($0) is wrong." }
    }

    /// Rows that refer to others which are not there, by table.
    private static func sentences(of rows: RowCursor) throws -> [String] {
        var counts: [String: Int] = [:]
        while let row = try rows.next() {
            counts["\(row[0] as String?, default: "") \(row[2] as String?, default: "")", default: 0] += 1
        }
        return counts.sorted { $0.key < $1.key }.map { names, count in
            let tables = names.split(separator: " ")
            let (from, to) = (tables.first ?? "", tables.last ?? "")
            return "rows of \(from) that refer to rows of \(to) which are not there: \(count)"
        }
    }
}
