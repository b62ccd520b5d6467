import FoundationEssentials
import TillEngine
import TillModel

extension MemoryTransaction: TransactionWriter {
    func insert(_ transaction: TransactionRecord) throws -> Int64 {
        try requireQueue(transaction.queue)
        guard state.transactionKeys[transaction.id] == nil else {
            throw TillError(.alreadyExists, "The ledger has transaction \(transaction.id.text) already.")
        }
        try requireFreeRevision(of: transaction)
        try requireReferences(of: transaction)
        var record = transaction.asStored
        record.key = transaction.key == 0 ? newTransactionKey() : transaction.key
        state.index(record)
        state.beginQueue(of: record)
        return record.key
    }

    func update(_ transaction: TransactionRecord) throws {
        guard let old = self.transaction(key: transaction.key) else {
            throw TillError(.notFound, "The ledger has no transaction \(transaction.key).")
        }
        try requireReferences(of: transaction)
        let record = transaction.updating(old).inMilliseconds
        if record.revision != old.revision {
            try requireFreeRevision(of: record)
        }
        state.unindex(old)
        state.index(record)
    }

    func prune(_ key: Int64) throws {
        guard var record = transaction(key: key) else {
            throw TillError(.notFound, "The ledger has no transaction \(key).")
        }
        record.receipt = nil
        try update(record)
        state.histories[key] = nil
    }

    /// The engine never gives a revision twice. Only this ledger checks that: an index for it would cost every payment.
    private func requireFreeRevision(of record: TransactionRecord) throws {
        let change = MemoryQueue.Change(revision: record.revision, key: 0)
        guard state.queues[record.queue]?.changes.contains(change) != true else {
            throw TillError(.alreadyExists, "Queue \(record.queue) has a change \(record.revision) already.")
        }
    }

    private func requireReferences(of record: TransactionRecord) throws {
        try requireTransaction(record.original?.key)
        try requireTransaction(record.repeats)
        try requireSubscription(record.term?.subscription)
    }
}

extension MemoryState {
    fileprivate mutating func beginQueue(of record: TransactionRecord) {
        if queues[record.queue]?.record.beganAt == nil {
            queues[record.queue]?.record.beganAt = record.createdAt
        }
    }
}

extension TransactionRecord {
    /// The record without the rows of others.
    fileprivate var asStored: TransactionRecord {
        var record = inMilliseconds
        record.downloads = []
        return record
    }
}
