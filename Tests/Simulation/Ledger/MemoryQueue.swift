import TillEngine

/// One queue of a ``MemoryLedger`` with the keys of its rows, sorted as the protocol's queries want them.
struct MemoryQueue: Sendable {
    var record: QueueRecord
    var keys = SortedArray<Int64>()
    var unfinishedKeys = SortedArray<Int64>()
    var changes = SortedArray<Change>()
    /// Transactions that are unfinished or whose revocation is pending.
    var deliverableChanges = SortedArray<Change>()
    var entitlements = SortedArray<Int64>()
    /// Transactions with open disputes.
    var disputed = SortedArray<Int64>()
    /// Open and waiting charges.
    var unsettledCharges = SortedArray<Int64>()
    var subscriptions = SortedArray<Int64>()
    var downloads = SortedArray<Int64>()
    var downloadChanges = SortedArray<DownloadChange>()
    var events: [EventRecord] = []

    init(_ record: QueueRecord) {
        self.record = record
    }

    /// The place of a transaction in the change log.
    struct Change: Comparable {
        var revision: UInt64
        var key: Int64

        static func < (left: Change, right: Change) -> Bool {
            left.revision < right.revision
        }

        static func == (left: Change, right: Change) -> Bool {
            left.revision == right.revision
        }
    }

    /// The place of a download in the change log, which several downloads that changed together share.
    struct DownloadChange: Comparable {
        var revision: UInt64
        var key: Int64

        static func < (left: DownloadChange, right: DownloadChange) -> Bool {
            (left.revision, left.key) < (right.revision, right.key)
        }
    }

    /// A queue's name, compared as bytes.
    struct Name: Hashable {
        var application: [UInt8]
        var account: [UInt8]

        init(_ name: QueueName) {
            application = Array(name.application.utf8)
            account = Array(name.account.utf8)
        }
    }

    mutating func index(_ record: TransactionRecord) {
        let change = Change(revision: record.revision, key: record.key)
        keys.insert(record.key)
        changes.insert(change)
        if record.finishedAt == nil {
            unfinishedKeys.insert(record.key)
        }
        if record.finishedAt == nil || record.isRevocationPending {
            deliverableChanges.insert(change)
        }
        if record.isEntitlement {
            entitlements.insert(record.key)
        }
        if !record.openDisputes.isEmpty {
            disputed.insert(record.key)
        }
    }

    mutating func unindex(_ record: TransactionRecord) {
        let change = Change(revision: record.revision, key: record.key)
        keys.remove(record.key)
        changes.remove(change)
        unfinishedKeys.remove(record.key)
        deliverableChanges.remove(change)
        entitlements.remove(record.key)
        disputed.remove(record.key)
    }
}
