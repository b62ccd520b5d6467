import FoundationEssentials
import TillEngine
import TillModel

extension MemoryTransaction: TransactionReader {
    func newTransactionKey() -> Int64 {
        highestKey.next()
    }

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

    func unfinishedTransactions(in queue: Int64, afterKey key: Int64, limit: Int) -> [TransactionRecord] {
        records(state.queues[queue]?.unfinishedKeys.drop(while: { $0 <= key }), limit: limit)
    }

    func receiptTransactions(in queue: Int64, beforeKey key: Int64, limit: Int) -> [TransactionRecord] {
        let keys = state.queues[queue]?.keys.prefix(while: { $0 < key })
        return records(keys?.lazy.reversed(), limit: limit) { record in
            record.staysInApplicationReceipt || record.state == .purchased && record.finishedAt == nil
        }
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

    func unprunedTransactions(in keys: ClosedRange<Int64>) -> [TransactionRecord] {
        records(state.transactions.keys.filter(keys.contains).sorted(), limit: .max) { record in
            record.finishedAt != nil && !record.isRevocationPending
                && (record.receipt != nil || !self.history(ofTransaction: record.key).isEmpty)
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

    func disputedTransactions(in queue: Int64, limit: Int) -> [TransactionRecord] {
        records(state.queues[queue]?.disputed.elements, limit: limit)
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

extension MemoryTransaction {
    func entitlement(to productID: String, in queue: Int64) -> TransactionRecord? {
        records(entitlementKeys(in: queue), limit: 1) { record in
            record.productType == .nonConsumable && record.payment.productID.hasSameBytes(as: productID)
        }.first
    }

    func entitlements(in queue: Int64, afterKey key: Int64, limit: Int) -> [TransactionRecord] {
        records(entitlementKeys(in: queue, afterKey: key), limit: limit) { record in
            record.productType == .nonConsumable || record.productType == .nonRenewingSubscription
        }
    }

    func restorableTransactions(in queue: Int64, afterKey key: Int64, applicationUsername: String?, limit: Int)
        -> [TransactionRecord]
    {
        records(entitlementKeys(in: queue, afterKey: key), limit: limit) { record in
            record.finishedAt != nil && record.productType?.isRestorable == true
                && applicationUsername.map { $0.hasSameBytes(as: record.payment.applicationUsername) } ?? true
        }
    }

    func restorableCount(in queue: Int64, applicationUsername: String?) -> Int {
        restorableTransactions(in: queue, afterKey: 0, applicationUsername: applicationUsername, limit: .max).count
    }

    private func entitlementKeys(in queue: Int64, afterKey key: Int64 = 0) -> ArraySlice<Int64> {
        state.queues[queue]?.entitlements.drop(while: { $0 <= key }) ?? []
    }
}

extension MemoryTransaction {
    func transactions(matching filter: TransactionFilter, afterKey key: Int64, limit: Int) -> [TransactionRecord] {
        records(state.transactions.keys.filter { $0 > key }.sorted(), matching: filter, limit: limit)
    }

    func transactions(matching filter: TransactionFilter, beforeKey key: Int64, limit: Int) -> [TransactionRecord] {
        records(state.transactions.keys.filter { $0 < key }.sorted(by: >), matching: filter, limit: limit)
    }

    private func records(_ keys: [Int64], matching filter: TransactionFilter, limit: Int) -> [TransactionRecord] {
        records(keys, limit: limit) { record in
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
