import GRDB
import TillModel

extension LedgerFile {
    /// Why a ledger cannot be opened, in words that say what to do.
    static func explanation(of error: any Error, path: String) -> TillError {
        switch (error as? DatabaseError)?.resultCode {
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
