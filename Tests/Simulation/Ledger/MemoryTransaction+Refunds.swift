import FoundationEssentials
import TillEngine
import TillModel

extension MemoryTransaction: RefundReader {
    func refund(_ id: UUID) -> RefundRecord? {
        state.refundKeys[id].flatMap { state.refunds[$0] }
    }

    func refunds(ofTransaction key: Int64) -> [RefundRecord] {
        state.refunds.filter { $0.value.transactionKey == key }.sorted { $0.key < $1.key }.map(\.value)
    }

    func refunds(ofTransactions keys: ClosedRange<Int64>) -> [RefundRecord] {
        state.refunds.filter { keys.contains($0.value.transactionKey) }
            .sorted { ($0.value.transactionKey, $0.key) < ($1.value.transactionKey, $1.key) }.map(\.value)
    }

    func dueRefunds(at date: Date, limit: Int) -> [RefundRecord] {
        state.dueRefunds.keys(at: date, limit: limit).compactMap { state.refunds[$0] }
    }

    func refunds(dueAfter date: Date, limit: Int) -> [RefundRecord] {
        state.dueRefunds.keys(after: date, limit: limit).compactMap { state.refunds[$0] }
    }
}

extension MemoryTransaction: RefundWriter {
    func insert(_ refund: RefundRecord) throws {
        try requireQueue(refund.queue)
        try requireTransaction(refund.transactionKey)
        guard state.refundKeys[refund.id] == nil else {
            throw TillError(.alreadyExists, "The ledger has refund \(refund.id.text) already.")
        }
        var record = refund
        record.createdAt = refund.createdAt.roundedToMilliseconds
        record.dueAt = refund.dueAt.roundedToMilliseconds
        state.index(record, key: (state.refunds.keys.max() ?? 0) + 1)
    }

    func update(_ refund: RefundRecord) throws {
        guard let key = state.refundKeys[refund.id], let old = state.refunds[key] else {
            throw TillError(.notFound, "The ledger has no refund \(refund.id.text).")
        }
        var record = old
        record.quantity = refund.quantity
        record.state = refund.state
        record.attempts = refund.attempts
        record.dueAt = refund.dueAt.roundedToMilliseconds
        record.reference = refund.reference
        state.unindex(old, key: key)
        state.index(record, key: key)
    }
}

extension MemoryTransaction: RestoreReader {
    func restore(_ id: UUID) -> RestoreRecord? {
        state.restores[state.joinedRestores[id] ?? id]
    }

    func joinableRestore(in queue: Int64, applicationUsername: String?) -> RestoreRecord? {
        runningRestores(limit: .max).first { restore in
            restore.queue == queue && restore.cursor == 0
                && (restore.applicationUsername?.hasSameBytes(as: applicationUsername) ?? (applicationUsername == nil))
        }
    }

    func runningRestores(limit: Int) -> [RestoreRecord] {
        let running = state.restoreIDs.lazy.compactMap(restore(_:)).filter { $0.state == .running }
        return Array(running.sorted { $0.createdAt < $1.createdAt }.prefix(max(0, limit)))
    }
}

extension MemoryTransaction: RestoreWriter {
    func insert(_ restore: RestoreRecord) throws {
        try requireQueue(restore.queue)
        guard self.restore(restore.id) == nil else {
            throw TillError(.alreadyExists, "The ledger has restore \(restore.id.text) already.")
        }
        var record = restore
        record.createdAt = restore.createdAt.roundedToMilliseconds
        record.deadline = restore.deadline.roundedToMilliseconds
        state.restores[restore.id] = record
        state.restoreIDs.append(restore.id)
    }

    func insert(joined id: UUID, to restore: UUID) throws {
        guard self.restore(id) == nil else {
            throw TillError(.alreadyExists, "The ledger has restore \(id.text) already.")
        }
        guard state.restores[restore] != nil else {
            throw TillError(.notFound, "The ledger has no restore \(restore.text).")
        }
        state.joinedRestores[id] = restore
    }

    func update(_ restore: RestoreRecord) throws {
        guard var record = self.restore(restore.id) else {
            throw TillError(.notFound, "The ledger has no restore \(restore.id.text).")
        }
        record.state = restore.state
        record.cursor = restore.cursor
        record.count = restore.count
        record.error = restore.error
        record.deadline = restore.deadline.roundedToMilliseconds
        state.restores[record.id] = record
    }
}
