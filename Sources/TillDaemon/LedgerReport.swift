import Logging
package import TillEngine
import TillModel
import TillProviders
import TillSQLite

/// The books of a daemon that has stopped, held against each other.
package enum LedgerReport {
    /// Charges read at a time.
    static let page = 1000

    /// Compares the ledger in the state directory with the simulated provider's own record.
    ///
    /// - Throws: `failedPrecondition` while a daemon uses the directory.
    package static func reconcile(stateDirectory: String) async throws -> Reconciliation {
        let state = try StateDirectory(path: stateDirectory)
        let lock = try FileLock(path: state.lockPath, protecting: "The state directory \(state.path)")
        defer { withExtendedLifetime(lock) {} }
        let ledger = try SQLiteLedger.openReadOnly(path: state.ledgerPath)
        let charges = try await charges(of: ledger)
        try await ledger.close()
        let provider = try SimulatedRecord.charges(in: state.path).map(\.providerCharge)
        return Reconciliation(ledger: charges, provider: provider)
    }

    private static func charges(of ledger: SQLiteLedger) async throws -> [ChargeRecord] {
        var charges: [ChargeRecord] = []
        while true {
            let last = charges.last?.transactionKey ?? 0
            let found = try await ledger.read { try $0.charges(afterKey: last, limit: Self.page) }
            charges += found
            if found.count < page {
                return charges
            }
        }
    }
}
