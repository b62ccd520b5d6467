import TillModel

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
