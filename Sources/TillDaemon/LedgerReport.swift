import Logging
package import TillEngine
import TillModel
import TillProviders
import TillSQLite

/// Compares a stopped daemon's ledger with the provider's record.
package enum LedgerReport {
    /// The number of charges per read.
    static let page = 1000

    /// Compares the ledger in the state directory with the simulated provider's own record.
    ///
    /// - Throws: `notFound` without a ledger, in which case no file is created; `failedPrecondition` while a daemon uses the
    ///   directory.
    package static func reconcile(stateDirectory: String) async throws -> Reconciliation {
        let state = try StateDirectory(withLedgerAt: stateDirectory)
        let lock = try FileLock(path: state.lockPath, protecting: "The state directory \(state.path)")
        defer { withExtendedLifetime(lock) {} }
        let ledger = try SQLiteLedger.openReadOnly(path: state.ledgerPath)
        if let owner = try await ProviderBinding.owner(of: ledger) {
            throw TillError(
                .failedPrecondition,
                "The ledger belongs to \(owner.text), which only a daemon can ask: start it, and use till reconcile."
            )
        }
        var charges: [ChargeRecord] = []
        var refunds: [Int64: LedgerRefunds] = [:]
        while true {
            let last = charges.last?.key ?? 0
            let found = try await ledger.read { ledger in
                try ledger.charges(afterKey: last, limit: Self.page).map { ($0, try Self.refunds(of: $0, ledger)) }
            }
            charges += found.map(\.0)
            for (charge, given) in found where given != LedgerRefunds() {
                refunds[charge.key] = given
            }
            if found.count < page {
                break
            }
        }
        try await ledger.close()
        let provider = try SimulatedRecord.charges(in: state.path)
        return Reconciliation(ledger: charges, refunds: refunds, provider: provider)
    }

    private static func refunds(of charge: ChargeRecord, _ ledger: any LedgerReader) throws -> LedgerRefunds {
        LedgerRefunds(try charge.transactionKey.map { try ledger.refunds(ofTransaction: $0) } ?? [])
    }
}
