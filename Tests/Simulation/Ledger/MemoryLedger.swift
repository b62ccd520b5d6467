package import FoundationEssentials
import NIOConcurrencyHelpers
package import TillEngine
import TillModel

/// A ledger of Swift values, for tests whose clock stands still. A commit takes no thread of its own and no time, and a copy
/// costs nothing, so that a simulation decides when a commit is durable and which of them a crash loses.
package final class MemoryLedger: Ledger {
    package let id: UUID
    package let numbering: LedgerNumbering
    private let state = NIOLockedValueBox(MemoryState())

    /// - Parameter numbering: Random like a new file's, unless identifiers have to be the same in every run.
    package init(id: UUID = .version7(), numbering: LedgerNumbering = .drawn()) {
        self.id = id
        self.numbering = numbering
    }

    /// A copy of the ledger as it is now, with the same identity, like the copy of a file.
    package func snapshot() -> MemoryLedger {
        let copy = MemoryLedger(id: id, numbering: numbering)
        let state = state.withLockedValue { $0 }
        copy.state.withLockedValue { $0 = state }
        return copy
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

/// One transaction of a ``MemoryLedger``: its own copy of the state.
final class MemoryTransaction: LedgerWriter {
    var state: MemoryState

    init(_ state: MemoryState) {
        self.state = state
    }

    func requireQueue(_ key: Int64) throws {
        guard state.queues[key] != nil else {
            throw TillError(.notFound, "The ledger has no queue \(key).")
        }
    }

    /// Requires the transaction that a row refers to, if it refers to one.
    func requireTransaction(_ key: Int64?) throws {
        if let key, state.transactions[key] == nil {
            throw TillError(.notFound, "The ledger has no transaction \(key).")
        }
    }

    /// Requires the subscription that a row refers to, if it refers to one.
    func requireSubscription(_ key: Int64?) throws {
        if let key, state.subscriptions[key] == nil {
            throw TillError(.notFound, "The ledger has no subscription \(key).")
        }
    }
}
