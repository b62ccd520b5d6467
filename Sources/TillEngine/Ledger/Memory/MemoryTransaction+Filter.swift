import TillModel

extension MemoryTransaction {
    func transactions(matching filter: TransactionFilter, afterKey key: Int64, limit: Int) -> [TransactionRecord] {
        let keys = state.transactions.keys.filter { $0 > key }.sorted()
        return records(keys, limit: limit) { record in
            filter.application.map { $0.hasSameBytes(as: queue(key: record.queue)?.name.application) } ?? true
                && isQueue(record.queue, ofAccount: filter.account)
                && filter.productID.map { $0.hasSameBytes(as: record.payment.productID) } ?? true
                && filter.state.map { $0 == record.state } ?? true
                && filter.attention.map { needs($0, record) } ?? true
        }
    }

    private func needs(_ attention: TransactionFilter.Attention, _ record: TransactionRecord) -> Bool {
        switch attention {
        case .pending: !record.state.isFinal
        case .unfinished: record.state.isFinal && record.finishedAt == nil
        case .needsReview: charge(forTransaction: record.key)?.state == .needsReview
        case .interrupted: record.isInterrupted
        case .revoked: record.revocation != nil
        }
    }
}
