package import FoundationEssentials
import Synchronization
import TillModel

/// A ledger that lives as long as the process: for tests, and for stores that are meant to be forgotten.
package final class MemoryLedger: Ledger {
    package let id: UUID
    private let state = Mutex(MemoryState())

    package init(id: UUID = .version7()) {
        self.id = id
    }

    package func commit(_ work: @escaping @Sendable (any LedgerWriter) throws -> Void) async throws {
        try state.withLock { state in
            let transaction = MemoryTransaction(state)
            do {
                try work(transaction)
                state = transaction.state
            } catch {
                state.highestKey = transaction.state.highestKey
                throw error
            }
        }
    }

    package func read<Value: Sendable>(_ work: @escaping @Sendable (any LedgerReader) throws -> Value) async throws
        -> Value
    {
        let snapshot = state.withLock { $0 }
        return try work(MemoryTransaction(snapshot))
    }
}
