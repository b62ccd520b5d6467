package import FoundationEssentials
import NIOConcurrencyHelpers
package import TillEngine
import TillModel

/// A ledger of Swift values, for tests whose clock stands still. A commit takes no thread of its own and no time, and a copy
/// costs nothing, so that a simulation decides when a commit is durable and which of them a crash loses.
package final class MemoryLedger: Ledger {
    package let id: UUID
    package let numbering: LedgerNumbering
    private let state: NIOLockedValueBox<MemoryState>
    private let highestKey: HighestKey

    /// - Parameter numbering: Random like a new file's, unless identifiers have to be the same in every run.
    package convenience init(id: UUID = .version7(), numbering: LedgerNumbering = .drawn()) {
        self.init(id: id, numbering: numbering, MemoryState(), HighestKey())
    }

    private init(id: UUID, numbering: LedgerNumbering, _ state: MemoryState, _ highestKey: HighestKey) {
        self.id = id
        self.numbering = numbering
        self.state = NIOLockedValueBox(state)
        self.highestKey = highestKey
    }

    /// A copy of the ledger as it is now, with the same identity, like the copy of a file. No key is given by both.
    package func snapshot() -> MemoryLedger {
        MemoryLedger(id: id, numbering: numbering, state.withLockedValue { $0 }, highestKey)
    }

    /// The keys of queues whose revisions differ from those in another copy of the ledger.
    package func queuesChanged(since other: MemoryLedger) -> [Int64] {
        let before = other.state.withLockedValue(\.queues)
        let queues = state.withLockedValue(\.queues)
        return queues.filter { $0.value.record.revision != before[$0.key]?.record.revision }.keys.sorted()
    }

    package func commit<Value: Sendable>(_ work: @escaping @Sendable (any LedgerWriter) throws -> Value) async throws
        -> Value
    {
        try state.withLockedValue { state in
            let transaction = MemoryTransaction(state, highestKey)
            let value = try work(transaction)
            state = transaction.state
            return value
        }
    }

    package func read<Value: Sendable>(_ work: @escaping @Sendable (any LedgerReader) throws -> Value) async throws
        -> Value
    {
        let snapshot = state.withLockedValue { $0 }
        return try work(MemoryTransaction(snapshot, highestKey))
    }
}

/// One transaction of a ``MemoryLedger``: its own copy of the state.
final class MemoryTransaction: LedgerWriter {
    var state: MemoryState
    let highestKey: HighestKey

    init(_ state: MemoryState, _ highestKey: HighestKey) {
        self.state = state
        self.highestKey = highestKey
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

/// The highest key that a transaction was ever given, even if that was rolled back.
final class HighestKey: Sendable {
    private let key = NIOLockedValueBox<Int64>(0)

    func next() -> Int64 {
        key.withLockedValue { key in
            key += 1
            return key
        }
    }
}
