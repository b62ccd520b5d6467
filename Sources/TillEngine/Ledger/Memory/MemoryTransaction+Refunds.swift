import FoundationEssentials
import TillModel

extension MemoryTransaction: RefundReader {
    func refund(_ id: UUID) -> RefundRecord? {
        state.refundKeys[id].flatMap { state.refunds[$0] }
    }

    func refunds(ofTransaction key: Int64) -> [RefundRecord] {
        state.refunds.filter { $0.value.transactionKey == key }.sorted { $0.key < $1.key }.map(\.value)
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
        record.state = refund.state
        record.attempts = refund.attempts
        record.dueAt = refund.dueAt.roundedToMilliseconds
        record.reference = refund.reference
        state.unindex(old, key: key)
        state.index(record, key: key)
    }
}
