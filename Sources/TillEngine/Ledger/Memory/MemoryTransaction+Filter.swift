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

    /// Whether its charge is in review, or as the subscription's last period one for a renewal.
    private func isInReview(_ record: TransactionRecord) -> Bool {
        state.chargesInReview.elements.lazy.compactMap(charge(key:)).contains { charge in
            let latest = charge.subscriptionKey.flatMap(subscription(key:))?.latestKey
            return charge.transactionKey ?? latest == record.key
        }
    }

    private func needs(_ attention: TransactionFilter.Attention, _ record: TransactionRecord) -> Bool {
        switch attention {
        case .pending: !record.state.isFinal
        case .unfinished: record.state.isFinal && record.finishedAt == nil
        case .needsReview: isInReview(record)
        case .interrupted: record.isInterrupted || (!record.state.isFinal && record.blocker == .resolution)
        case .revoked: record.revocation != nil
        }
    }
}
