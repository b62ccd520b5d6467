import CSQLiteVFS
import GRDB
import Glibc
import TillModel

extension LedgerFile {
    /// Whether the log may hold pages that are newer than those of the file, as after a crash.
    var hasLog: Bool {
        logBytes > 0
    }

    /// The size of the log's file; 0 for a ledger without a log.
    var logBytes: Int {
        Self.byteCount(ofFile: path + "-wal")
    }

    /// The size of the ledger's file and of its log.
    var byteCount: Int {
        Self.byteCount(ofFile: path) + logBytes
    }

    private static func byteCount(ofFile path: String) -> Int {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? status.st_size : 0
    }

    /// Fills the log with zeros up to a size, for a connection that holds the write lock.
    func fillLog(toBytes bytes: Int) throws {
        let code = unsafe till_sqlite_fill_log(path + "-wal", bytes)
        guard code == 0 else {
            let reason = unsafe String(cString: strerror(code))
            throw TillError(.resourceExhausted, "The log \(path)-wal cannot be filled: \(reason). Make room.")
        }
    }

    /// Checks the log that a crash left, before SQLite reads it: SQLite ignores all that follows the first damaged frame.
    ///
    /// - Returns: Whether the log ends in the remains of a commit that was cut off.
    /// - Throws: `dataLoss` if commits that were flushed cannot be read.
    @discardableResult
    func checkLog() throws -> Bool {
        var findings = TillLogFindings()
        let code = unsafe till_sqlite_inspect_log(path + "-wal", path + "-shm", &findings)
        guard code == 0 else {
            let reason = unsafe String(cString: strerror(code))
            throw TillError(.failedPrecondition, "The log \(path)-wal cannot be read: \(reason). Check its disk.")
        }
        if let damage = findings.damage {
            throw TillError(
                .dataLoss,
                "The log \(path)-wal is damaged: \(damage). Restore the ledger and its log from a backup."
            )
        }
        return findings.stray_frames > 0
    }

    /// Moves the log into the file and empties it, so that the remains of a commit that was cut off are not taken for
    /// damage after the next crash.
    func endLog() throws {
        let queue = try DatabaseQueue(path: path, configuration: configuration(readonly: false))
        _ = try queue.writeWithoutTransaction { try $0.checkpoint(.truncate) }
        try queue.close()
    }
}

extension TillLogFindings {
    /// What is wrong with the log, as one clause.
    fileprivate var damage: String? {
        if is_header_damaged != 0 {
            "its header is wrong"
        } else if known_frames > whole_frames {
            "frame \(whole_frames + 1) of the \(known_frames) that were flushed is wrong"
        } else if stray_commits > 1 {
            // A commit begins only once the one before it is flushed: a crash cuts off one at most.
            "frame \(whole_frames + 1) is wrong, and \(stray_commits) commits end at it or after it"
        } else {
            nil
        }
    }
}

extension LedgerFile {
    static func damaged(_ path: String, _ reason: String, cause: (any Error)? = nil) -> TillError {
        TillError(.dataLoss, "The ledger \(path) is damaged: \(reason). Restore it from a backup.", cause: cause)
    }

    /// Which pages have wrong checksums, as one clause; nil if none has.
    static func checksumFindings(_ path: String) -> String? {
        let pages = try? LedgerFile(path: path).damagedPages(limit: namedPagesMaximum)
        guard let pages, !pages.isEmpty else {
            return nil
        }
        let numbers = pages.map(String.init).joined(separator: ", ")
        return pages.count == 1
            ? "the checksum of page \(numbers) is wrong" : "the checksums of pages \(numbers) are wrong"
    }

    /// Why a ledger cannot be opened, in words that say what to do.
    static func explanation(of error: any Error, path: String) -> TillError {
        if (error as? DatabaseError)?.extendedResultCode == .SQLITE_IOERR_DATA {
            return damaged(path, checksumFindings(path) ?? "the checksum of a page is wrong", cause: error)
        }
        return switch (error as? DatabaseError)?.resultCode {
        case .SQLITE_NOTADB:
            TillError(
                .dataLoss,
                "\(path) is not a database. Name another file, or restore it from a backup.",
                cause: error
            )
        case .SQLITE_CORRUPT:
            TillError(.dataLoss, "The ledger \(path) is damaged. Restore it from a backup.", cause: error)
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            TillError(
                .failedPrecondition,
                "The ledger \(path) is in use by another process. Stop that process.",
                cause: error
            )
        case .SQLITE_FULL:
            TillError(.failedPrecondition, "The disk of the ledger \(path) is full. Make room.", cause: error)
        default:
            TillError(
                .failedPrecondition,
                "The ledger \(path) cannot be opened. Check it and its directory, their owners and modes.",
                cause: error
            )
        }
    }
}
