import FoundationEssentials
import TillModel

/// Everything a ``MemoryLedger`` holds: the rows, and indexes over them for the protocol's queries.
struct MemoryState: Sendable {
    /// The highest key ever handed out to a transaction, also when that was rolled back.
    var highestKey: Int64 = 0
    var queueKeys: [MemoryQueue.Name: Int64] = [:]
    var queues: [Int64: MemoryQueue] = [:]
    var transactionKeys: [UUID: Int64] = [:]
    var transactions: [Int64: TransactionRecord] = [:]
    /// Unfinished restored transactions by the key of their original.
    var unfinishedRestored: [Int64: SortedArray<Int64>] = [:]
    var charges: [Int64: ChargeRecord] = [:]
    var chargeKeys = SortedArray<Int64>()
    var dueCharges = SortedArray<Due>()
    var restores: [UUID: RestoreRecord] = [:]
    /// In the order of their creation.
    var restoreIDs: [UUID] = []

    /// An open charge in the order in which charges are due.
    struct Due: Comparable {
        var date: Date
        var key: Int64

        static func < (left: Due, right: Due) -> Bool {
            (left.date, left.key) < (right.date, right.key)
        }
    }
}

extension MemoryState {
    /// Enters a transaction into every index that its present values belong to.
    mutating func index(_ record: TransactionRecord) {
        transactions[record.key] = record
        transactionKeys[record.id] = record.key
        queues[record.queue]?.index(record)
        if let original = record.unfinishedRestoreOrigin {
            unfinishedRestored[original, default: SortedArray()].insert(record.key)
        }
    }

    /// Takes a transaction out of every index that its present values put it in.
    mutating func unindex(_ record: TransactionRecord) {
        queues[record.queue]?.unindex(record)
        if let original = record.unfinishedRestoreOrigin {
            unfinishedRestored[original]?.remove(record.key)
        }
    }

    mutating func index(_ record: ChargeRecord) {
        charges[record.transactionKey] = record
        if record.state == .open {
            dueCharges.insert(Due(date: record.dueAt, key: record.transactionKey))
        }
        if !record.state.isSettled {
            queues[record.queue]?.unsettledCharges.insert(record.transactionKey)
        }
    }

    mutating func unindex(_ record: ChargeRecord) {
        dueCharges.remove(Due(date: record.dueAt, key: record.transactionKey))
        queues[record.queue]?.unsettledCharges.remove(record.transactionKey)
    }
}

extension TransactionRecord {
    /// The key of the original while this is an unfinished restored transaction.
    fileprivate var unfinishedRestoreOrigin: Int64? {
        state == .restored && finishedAt == nil ? original?.key : nil
    }
}
