import GRDB
import TillModel

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
            TillError(.failedPrecondition, "The ledger \(path) is in use by another process. Stop that.", cause: error)
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
