import TillModel
import TillSQLite

/// Compacts the ledger of a stopped daemon.
package enum LedgerCompaction {
    /// - Returns: The sizes of the ledger's file before and after, in bytes.
    /// - Throws: `notFound` without a ledger; `failedPrecondition` while a daemon uses the directory, or when it cannot be used;
    ///   `dataLoss` for a damaged ledger. Then nothing has changed.
    package static func run(stateDirectory: String) throws -> (before: Int, after: Int) {
        let state = try StateDirectory(withLedgerAt: stateDirectory)
        let lock = try FileLock(path: state.lockPath, protecting: "The state directory \(state.path)")
        defer { withExtendedLifetime(lock) {} }
        return try SQLiteLedger.compact(path: state.ledgerPath)
    }
}
