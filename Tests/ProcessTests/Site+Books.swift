import ProcessTesting
import TillEngine
import TillInvariants
import TillProviders
import TillSQLite

extension Site {
    /// The books after the daemon has stopped.
    func books(_ applications: [String]) async throws -> Books {
        let ledger = try SQLiteLedger.openReadOnly(path: ledger)
        let provider = try SimulatedRecord.charges(in: state)
        let books = try await Books(
            ledger: ledger,
            queues: applications.map { QueueName(application: $0, account: Self.account) },
            provider: provider,
            prices: TestStore.prices
        )
        try await ledger.close()
        return books
    }
}
