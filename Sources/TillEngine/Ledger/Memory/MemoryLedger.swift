package import FoundationEssentials
import NIOConcurrencyHelpers
import TillModel

/// A ledger that lives as long as the process: for tests, and for stores that are meant to be forgotten.
package final class MemoryLedger: Ledger {
    package let id: UUID
    private let state = NIOLockedValueBox(MemoryState())

    package init(id: UUID = .version7()) {
        self.id = id
    }

    package func commit<Value: Sendable>(_ work: @escaping @Sendable (any LedgerWriter) throws -> Value) async throws
        -> Value
    {
        try state.withLockedValue { state in
            let transaction = MemoryTransaction(state)
            do {
                let value = try work(transaction)
                state = transaction.state
                return value
            } catch {
                state.highestKey = transaction.state.highestKey
                throw error
            }
        }
    }

    package func read<Value: Sendable>(_ work: @escaping @Sendable (any LedgerReader) throws -> Value) async throws
        -> Value
    {
        let snapshot = state.withLockedValue { $0 }
        return try work(MemoryTransaction(snapshot))
    }
}
