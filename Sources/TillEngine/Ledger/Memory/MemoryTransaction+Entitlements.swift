import TillModel

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
