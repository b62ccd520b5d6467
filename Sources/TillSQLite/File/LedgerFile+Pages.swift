import CSQLiteVFS
package import GRDB
import GRDBSQLite
import Glibc
import TillModel

extension LedgerFile {
    /// How many damaged pages an error names.
    static let namedPagesMaximum = 8

    static let pageBytes = Int(TILL_SQLITE_PAGE_SIZE)

    static func guardsPages(_ database: Database) -> Bool {
        unsafe till_sqlite_guards_pages(database.sqliteConnection) != 0
    }

    /// The pages of the file whose checksums are wrong, in order. While the log holds pages, those may also be pages of
    /// the file that a crash left half written and that SQLite reads from the log.
    func damagedPages(limit: Int) throws -> [UInt32] {
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
        try require(file >= 0)
        defer { Glibc.close(file) }
        var pages: [UInt32] = []
        while pages.count < limit {
            var page: UInt32 = 0
            try require(unsafe till_sqlite_find_damage(file, pages.last ?? 0, &page), "be read")
            guard page != 0 else {
                break
            }
            pages.append(page)
        }
        return pages
    }

    /// Gives the pages of a ledger from before schema ``Schema/checksums`` their checksums.
    func addChecksums() throws {
        try rewrite { !LedgerFile.guardsPages($0) }
    }

    /// Leaves out the room in pages that removed receipts and histories have left.
    func compact() throws {
        try explained {
            if try checkLog() {
                try endLog()
            }
            try rewrite { _ in true }
        }
    }

    /// Writes all rows into the new pages of a copy, and replaces the ledger with it; until then, a crash leaves the ledger as it
    /// was.
    private func rewrite(if isWanted: (Database) -> Bool) throws {
        let draft = try makeDraft()
        defer { removeDraft() }
        let old = try DatabaseQueue(path: path, configuration: configuration(readonly: false))
        let isWritten = try old.writeWithoutTransaction { database in
            guard isWanted(database) else {
                return false
            }
            try check(database, "integrity_check")
            _ = try database.checkpoint(.truncate)
            try require(unsafe till_sqlite_reserve_checksums(database.sqliteConnection))
            try database.execute(sql: "VACUUM INTO ?", arguments: [draft])
            return true
        }
        try old.close()
        guard isWritten else {
            return
        }
        try requireNoLog()
        try addChecksums(to: draft)
        try finishDraft()
    }

    private func addChecksums(to draft: String) throws {
        let file = unsafe open(draft, O_RDWR | O_CLOEXEC)
        try require(file >= 0)
        defer { Glibc.close(file) }
        try require(till_sqlite_add_checksums(file), "be written")
    }

    private func require(_ result: CInt) throws {
        guard result == SQLITE_OK else {
            throw DatabaseError(resultCode: ResultCode(rawValue: result))
        }
    }

    private func require(_ code: CInt, _ what: String) throws {
        guard code == 0 else {
            let reason = unsafe String(cString: strerror(code))
            throw TillError(.failedPrecondition, "The ledger \(path) cannot \(what): \(reason). Check its disk.")
        }
    }
}

extension SQLiteLedger {
    /// Writes the rows of a ledger that nobody uses into as few pages as they need. A crash leaves the ledger as it was or compacted.
    ///
    /// - Returns: The sizes of the ledger's file before and after, in bytes.
    /// - Throws: `failedPrecondition` for a file that is not a ledger, was moved or cannot be copied; `dataLoss` for a damaged one.
    package static func compact(path: String) throws -> (before: Int, after: Int) {
        let file = LedgerFile(path: path)
        try file.requireChecksums()
        _ = try file.inspect()
        let before = file.byteCount
        try file.compact()
        return (before, file.byteCount)
    }
}

extension Configuration {
    /// The result of setting SQLite up once for the process, before the first connection to a file is opened: GRDB opens
    /// files with the default VFS.
    private static let setUp = till_sqlite_set_up()

    /// For connections to a ledger's file, all of which have to verify the pages that they read, and add checksums to
    /// those that they write.
    package static var guardingPages: Configuration {
        let setUp = setUp
        var configuration = Configuration()
        configuration.prepareDatabase { database in
            let result = unsafe setUp == SQLITE_OK ? till_sqlite_guard_pages(database.sqliteConnection) : setUp
            guard result == SQLITE_OK else {
                throw DatabaseError(resultCode: ResultCode(rawValue: result))
            }
        }
        return configuration
    }
}

extension Database {
    /// What is wrong with a page when a statement failed with `error`; nil if the statement failed otherwise.
    func damage(_ error: DatabaseError) -> String? {
        switch error.extendedResultCode {
        case .SQLITE_IOERR_DATA:
            let page = unsafe till_sqlite_damaged_page(sqliteConnection)
            return "Page \(page) of the ledger is damaged: its checksum is wrong"
        case _ where error.resultCode == .SQLITE_CORRUPT:
            return "The ledger is damaged: \(error.message ?? "its pages do not fit together")"
        default:
            return nil
        }
    }
}
