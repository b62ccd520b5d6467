import TillEngine
import TillModel

extension MemoryState {
    /// Enters a transaction into every index that its present values belong to.
    mutating func index(_ record: TransactionRecord) {
        transactions[record.key] = record
        transactionKeys[record.id] = record.key
        queues[record.queue]?.index(record)
        if let original = record.unfinishedRestoreOrigin {
            unfinishedRestored[original, default: SortedArray()].insert(record.key)
        }
        if !record.state.isFinal {
            pendingTransactions.insert(record.key)
        }
        if let due = record.due {
            deadlines.insert(due)
        }
        if let subscription = record.paidSubscription {
            terms[subscription, default: SortedArray()].insert(record.key)
        }
    }

    /// Removes a transaction from every index that its present values belong to.
    mutating func unindex(_ record: TransactionRecord) {
        queues[record.queue]?.unindex(record)
        if let original = record.unfinishedRestoreOrigin {
            unfinishedRestored[original]?.remove(record.key)
        }
        pendingTransactions.remove(record.key)
        if let due = record.due {
            deadlines.remove(due)
        }
        if let subscription = record.paidSubscription {
            terms[subscription]?.remove(record.key)
        }
    }

    mutating func index(_ record: ChargeRecord) {
        charges[record.key] = record
        chargeKeys.insert(record.key)
        if let transaction = record.transactionKey {
            transactionCharges[transaction] = record.key
        }
        if record.state == .open {
            dueCharges.insert(Due(date: record.dueAt, key: record.key))
        }
        if record.state == .needsReview {
            chargesInReview.insert(record.key)
        }
        if record.state == .open || record.state == .waiting {
            queues[record.queue]?.unsettledCharges.insert(record.key)
        }
    }

    mutating func unindex(_ record: ChargeRecord) {
        charges[record.key] = nil
        chargeKeys.remove(record.key)
        if let transaction = record.transactionKey {
            transactionCharges[transaction] = nil
        }
        dueCharges.remove(Due(date: record.dueAt, key: record.key))
        chargesInReview.remove(record.key)
        queues[record.queue]?.unsettledCharges.remove(record.key)
    }

    mutating func index(_ record: SubscriptionRecord) {
        subscriptions[record.key] = record
        queues[record.queue]?.subscriptions.insert(record.key)
        if let due = record.dueAt {
            dueSubscriptions.insert(Due(date: due, key: record.key))
        }
    }

    mutating func unindex(_ record: SubscriptionRecord) {
        if let due = record.dueAt {
            dueSubscriptions.remove(Due(date: due, key: record.key))
        }
    }

    mutating func index(_ record: RefundRecord, key: Int64) {
        refunds[key] = record
        refundKeys[record.id] = key
        if record.state == .open {
            dueRefunds.insert(Due(date: record.dueAt, key: key))
        }
    }

    mutating func unindex(_ record: RefundRecord, key: Int64) {
        dueRefunds.remove(Due(date: record.dueAt, key: key))
    }
}

extension TransactionRecord {
    /// The key of the original while this is an unfinished restored transaction.
    fileprivate var unfinishedRestoreOrigin: Int64? {
        state == .restored && finishedAt == nil ? original?.key : nil
    }

    /// The key of the subscription whose period it paid for.
    fileprivate var paidSubscription: Int64? {
        state == .purchased ? term?.subscription : nil
    }

    fileprivate var due: MemoryState.Due? {
        state.isFinal ? nil : deadline.map { MemoryState.Due(date: $0, key: key) }
    }
}
