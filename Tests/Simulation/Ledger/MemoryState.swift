import FoundationEssentials
import TillEngine
import TillModel

/// Everything a ``MemoryLedger`` holds: the rows, and indexes over them for the protocol's queries.
struct MemoryState: Sendable {
    var queueKeys: [MemoryQueue.Name: Int64] = [:]
    var queues: [Int64: MemoryQueue] = [:]
    var transactionKeys: [UUID: Int64] = [:]
    var transactions: [Int64: TransactionRecord] = [:]
    /// Transactions that are purchasing or deferred.
    var pendingTransactions = SortedArray<Int64>()
    /// Purchasing and deferred transactions that have a deadline.
    var deadlines = SortedArray<Due>()
    /// Unfinished restored transactions by the key of their original.
    var unfinishedRestored: [Int64: SortedArray<Int64>] = [:]
    /// Purchased transactions of paid periods by the key of their subscription.
    var terms: [Int64: SortedArray<Int64>] = [:]
    var charges: [Int64: ChargeRecord] = [:]
    var chargeKeys = SortedArray<Int64>()
    /// By the key of the transaction that they pay for.
    var transactionCharges: [Int64: Int64] = [:]
    var dueCharges = SortedArray<Due>()
    var chargesInReview = SortedArray<Int64>()
    var subscriptions: [Int64: SubscriptionRecord] = [:]
    var dueSubscriptions = SortedArray<Due>()
    var restores: [UUID: RestoreRecord] = [:]
    /// The restores that calls joined, by the identities of the calls.
    var joinedRestores: [UUID: UUID] = [:]
    /// In the order of their creation.
    var restoreIDs: [UUID] = []
    /// By keys that rise with their creation.
    var refunds: [Int64: RefundRecord] = [:]
    var refundKeys: [UUID: Int64] = [:]
    var dueRefunds = SortedArray<Due>()
    /// The highest key ever given to a download that was not rolled back.
    var highestDownloadKey: Int64 = 0
    var downloads: [Int64: DownloadRecord] = [:]
    var downloadKeys: [UUID: Int64] = [:]
    /// By the key of the transaction that they belong to.
    var transactionDownloads: [Int64: SortedArray<Int64>] = [:]
    var activeDownloads = SortedArray<Int64>()
    /// By the key of the transaction.
    var histories: [Int64: [HistoryRecord]] = [:]
    var audit: [AuditLink] = []
    var settings: [String: String] = [:]

    /// Something in the order in which it is due.
    struct Due: Comparable {
        var date: Date
        var key: Int64

        static func < (left: Due, right: Due) -> Bool {
            (left.date, left.key) < (right.date, right.key)
        }
    }
}

extension SortedArray<MemoryState.Due> {
    /// The keys of rows that are due at `date` or before, the longest due first.
    func keys(at date: Date, limit: Int) -> [Int64] {
        let date = date.roundedToMilliseconds
        return elements.prefix(max(0, limit)).prefix { $0.date <= date }.map(\.key)
    }

    /// Those due after `date`, the latest first.
    func keys(after date: Date, limit: Int) -> [Int64] {
        let date = date.roundedToMilliseconds
        return elements.suffix(max(0, limit)).reversed().prefix { $0.date > date }.map(\.key)
    }
}

extension MemoryState {
    /// Enters a download into every index that its present values belong to.
    mutating func index(_ record: DownloadRecord) {
        downloads[record.key] = record
        downloadKeys[record.id] = record.key
        transactionDownloads[record.transactionKey, default: SortedArray()].insert(record.key)
        queues[record.queue]?.downloads.insert(record.key)
        queues[record.queue]?.downloadChanges.insert(record.change)
        if record.state == .active {
            activeDownloads.insert(record.key)
        }
    }

    /// Takes a download out of every index that a change of its values may move it in.
    mutating func unindex(_ record: DownloadRecord) {
        queues[record.queue]?.downloadChanges.remove(record.change)
        activeDownloads.remove(record.key)
    }

    mutating func remove(_ record: DownloadRecord) {
        unindex(record)
        downloads[record.key] = nil
        downloadKeys[record.id] = nil
        transactionDownloads[record.transactionKey]?.remove(record.key)
        queues[record.queue]?.downloads.remove(record.key)
    }
}

extension DownloadRecord {
    fileprivate var change: MemoryQueue.DownloadChange {
        MemoryQueue.DownloadChange(revision: revision, key: key)
    }
}
