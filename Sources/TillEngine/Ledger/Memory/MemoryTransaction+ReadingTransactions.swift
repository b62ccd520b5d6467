import FoundationEssentials
import TillModel

extension MemoryTransaction: TransactionReader {
    func transactionKey(_ id: UUID) -> Int64? {
        state.transactionKeys[id]
    }

    func transaction(_ id: UUID) -> TransactionRecord? {
        state.transactionKeys[id].flatMap(transaction(key:))
    }

    func transaction(key: Int64) -> TransactionRecord? {
        guard var record = state.transactions[key] else {
            return nil
        }
        if let original = record.original {
            record.original = self.original(original.key)
        }
        if record.hasDownloads && record.finishedAt == nil {
            record.downloads = downloads(ofTransaction: key)
        }
        return record
    }

    func transactions(in queue: Int64, afterKey key: Int64, includeFinished: Bool, limit: Int) -> [TransactionRecord] {
        let keys = includeFinished ? state.queues[queue]?.keys : state.queues[queue]?.unfinishedKeys
        return records(keys?.drop(while: { $0 <= key }), limit: limit)
    }

    func receiptTransactions(in queue: Int64, beforeKey key: Int64, limit: Int) -> [TransactionRecord] {
        let keys = state.queues[queue]?.keys.prefix(while: { $0 < key })
        return records(keys?.lazy.reversed(), limit: limit, where: \.belongsInApplicationReceipt)
    }

    func transactions(in queue: Int64, changedAfter revision: UInt64, limit: Int) -> [TransactionRecord] {
        let changes = state.queues[queue]?.changes.drop(while: { $0.revision <= revision })
        return records(changes?.lazy.map(\.key), limit: limit)
    }

    func deliverableTransactions(in queue: Int64, revisions: ClosedRange<UInt64>, limit: Int) -> [TransactionRecord] {
        let changes = state.queues[queue]?.deliverableChanges.drop(while: { $0.revision < revisions.lowerBound })
        return records(changes?.lazy.prefix(while: { $0.revision <= revisions.upperBound }).map(\.key), limit: limit)
    }

    func transactions(waitingFor blockers: Set<Blocker>, account: String?, afterKey key: Int64, limit: Int)
        -> [TransactionRecord]
    {
        let blockers = blockers.subtracting([.provider])
        return records(state.pendingTransactions.drop(while: { $0 <= key }), limit: limit) { record in
            record.blocker.map(blockers.contains) == true && self.isQueue(record.queue, ofAccount: account)
        }
    }

    func overdueTransactions(at date: Date, limit: Int) -> [TransactionRecord] {
        records(state.deadlines.keys(at: date, limit: limit), limit: limit)
    }

    func transactions(waitingBeyond date: Date, limit: Int) -> [TransactionRecord] {
        records(state.deadlines.keys(after: date, limit: limit), limit: limit)
    }

    func unfinishedRestoredTransaction(of purchase: TransactionRecord) -> TransactionRecord? {
        let restored = state.unfinishedRestored[purchase.asOriginal.key]?.elements
        return records(restored, limit: 1) { $0.term?.start == purchase.term?.start }.first
    }

    func unfinishedRenewals(ofSubscription key: Int64, limit: Int) -> [TransactionRecord] {
        records(state.terms[key]?.elements, limit: limit) {
            $0.finishedAt == nil && $0.term?.isRenewal == true && $0.revocation == nil
        }
    }

    func terms(ofSubscription key: Int64, afterKey: Int64, limit: Int) -> [TransactionRecord] {
        records(state.terms[key]?.drop(while: { $0 <= afterKey }), limit: limit)
    }

    /// The first `limit` of the transactions with these keys that pass.
    func records(
        _ keys: (some Sequence<Int64>)?,
        limit: Int,
        where passes: (TransactionRecord) -> Bool = { _ in true }
    ) -> [TransactionRecord] {
        var records: [TransactionRecord] = []
        guard let keys, limit > 0 else {
            return records
        }
        for record in keys.lazy.compactMap(self.transaction(key:)) where passes(record) {
            records.append(record)
            if records.count == limit {
                break
            }
        }
        return records
    }

    /// What another row keeps of its original.
    func original(_ key: Int64) -> OriginalRecord? {
        state.transactions[key].map { OriginalRecord(key: $0.key, id: $0.id, purchasedAt: $0.purchaseDate) }
    }

    /// Whether the queue is of the account; every queue is when that is nil.
    func isQueue(_ key: Int64, ofAccount account: String?) -> Bool {
        guard let account else {
            return true
        }
        return account.hasSameBytes(as: queue(key: key)?.name.account)
    }
}
