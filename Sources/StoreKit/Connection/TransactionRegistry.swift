import Foundation
import TillModel

/// The queue's transactions, with exactly one object per transaction for as long as the application may hold it.
///
/// Objects change only here, immediately before observers are notified.
struct TransactionRegistry {
    /// The number of removed transactions at which released ones are pruned.
    private static let sweepMinimum = 1024

    private struct Entry {
        let object: SKPaymentTransaction
        /// The position in the order of arrival.
        let number: Int
        var shown: Transaction
        /// The attachment of observers that was notified of the current state; 0 for none.
        var notifiedAttachment = 0
        /// The ``notificationCount`` at the last notification about this transaction.
        var notifiedAt = 0
        /// Whether the daemon has received it.
        var isStored: Bool
        var isFinishing = false
    }

    private struct RemovedObject {
        weak var object: SKPaymentTransaction?
    }

    private var entries: [UUID: Entry] = [:]
    private var removedObjects: [UUID: RemovedObject] = [:]
    /// The number of notifications about transactions.
    private(set) var notificationCount = 0
    private var sweepAt = sweepMinimum
    private var count = 0
    /// The current attachment of observers; 0 before the first.
    private var attachment = 0

    /// The transactions in the queue, in the order of arrival.
    var transactions: [SKPaymentTransaction] {
        entries.values.sorted { $0.number < $1.number }.map(\.object)
    }

    /// The ids of the transactions that the daemon is known to have.
    var stored: Set<UUID> {
        Set(entries.values.lazy.filter(\.isStored).map(\.shown.id))
    }

    /// The purchases in progress.
    var purchasesInProgress: [(id: UUID, object: SKPaymentTransaction)] {
        entries.values.filter { !$0.shown.state.isFinal }.sorted { $0.number < $1.number }.map {
            ($0.shown.id, $0.object)
        }
    }

    /// Starts a new attachment when a first observer is added; every transaction must be reported again.
    ///
    /// - Parameter number: The attachment's number, which increases.
    /// - Returns: The transactions that only this process knows, which the daemon will not deliver.
    mutating func attach(_ number: Int) -> [SKPaymentTransaction] {
        attachment = max(attachment, number)
        let own = entries.values.filter { !$0.isStored }.sorted { $0.number < $1.number }
        own.forEach { entries[$0.shown.id]?.notifiedAttachment = attachment }
        return own.map(\.object)
    }

    /// Adds a payment that the daemon does not have yet.
    ///
    /// - Returns: Whether it is new; the store may request a payment again that is or was in the queue.
    mutating func add(_ transaction: Transaction) -> Bool {
        guard entries[transaction.id] == nil, !wasRemoved(transaction.id) else {
            return false
        }
        insert(transaction, isStored: false)
        return true
    }

    /// - Returns: The payment's object, unless observers were already notified of it.
    mutating func notifyAdded(_ id: UUID) -> SKPaymentTransaction? {
        guard let entry = entries[id], entry.notifiedAttachment != attachment else {
            return nil
        }
        entries[id]?.notifiedAttachment = attachment
        return entry.object
    }

    /// Records that the daemon has the payment.
    mutating func stored(_ id: UUID) {
        entries[id]?.isStored = true
    }

    /// Fails a payment that the daemon rejected.
    mutating func reject(_ id: UUID, _ error: PaymentError) -> SKPaymentTransaction? {
        guard var transaction = entries[id]?.shown, !transaction.state.isFinal else {
            return nil
        }
        transaction.state = .failed
        transaction.error = error
        return show(transaction)
    }

    /// Updates a transaction to the daemon's state.
    ///
    /// - Returns: Its object, unless observers already know this state.
    mutating func update(_ transaction: Transaction) -> SKPaymentTransaction? {
        guard let entry = entries[transaction.id] else {
            insert(transaction, isStored: true)
            return show(transaction)
        }
        entries[transaction.id]?.isStored = true
        guard transaction.revision >= entry.shown.revision else {
            return nil
        }
        guard !transaction.hasSameContents(as: entry.shown) || entry.notifiedAttachment != attachment else {
            entries[transaction.id]?.shown = transaction
            return nil
        }
        return show(transaction)
    }

    /// Removes a transaction that has left the queue and notifies the observers.
    ///
    /// - Returns: Its object, if it was in the queue.
    mutating func remove(_ id: UUID) -> SKPaymentTransaction? {
        guard let entry = entries.removeValue(forKey: id) else {
            return nil
        }
        entry.object.releaseDownloads()
        removedObjects[id] = RemovedObject(object: entry.object)
        if removedObjects.count >= sweepAt {
            removedObjects = removedObjects.filter { $0.value.object != nil }
            sweepAt = max(Self.sweepMinimum, removedObjects.count * 2)
        }
        return entry.object
    }

    /// Updates downloads to the daemon's state.
    ///
    /// - Returns: The objects that changed, without duplicates.
    func update(_ downloads: [Download]) -> [SKDownload] {
        var changed: [SKDownload] = []
        for download in downloads {
            let objects = entries[download.transactionID]?.object.show([download]) ?? []
            changed += objects.filter { object in !changed.contains { $0 === object } }
        }
        return changed
    }

    /// Whether the transaction was removed from the queue; false once its object has been pruned.
    func wasRemoved(_ id: UUID) -> Bool {
        removedObjects[id] != nil
    }

    /// Removes the transactions that these observers were not notified of. All unfinished ones were delivered to them,
    /// so the others are finished.
    ///
    /// - Returns: The removed objects; empty if newer observers exist, which have not received everything yet.
    mutating func removeUnnotified(by observers: Int) -> [SKPaymentTransaction] {
        guard observers == attachment else {
            return []
        }
        let unreported = entries.values.filter { $0.isStored && $0.notifiedAttachment != attachment }
        return remove(Set(unreported.map(\.shown.id)))
    }

    /// Removes transactions that are no longer in the daemon's queue.
    ///
    /// - Returns: The removed objects, in order.
    mutating func remove(_ ids: Set<UUID>) -> [SKPaymentTransaction] {
        let removed = ids.compactMap { entries[$0] }.sorted { $0.number < $1.number }
        return removed.compactMap { remove($0.shown.id) }
    }

    /// The transaction's current state; nil if it is not in the queue.
    func transaction(_ id: UUID) -> Transaction? {
        entries[id]?.shown
    }

    /// The transactions in the queue that a restore includes and that were not reported since it was requested,
    /// including those that are being finished.
    mutating func restored(for pending: PendingRestore) -> [SKPaymentTransaction] {
        let unreported = entries.values.filter {
            pending.covers($0.shown) && $0.notifiedAt <= pending.notificationCount
        }
        return unreported.sorted { $0.number < $1.number }.compactMap { show($0.shown) }
    }

    /// Whether a restore in progress still has to report a transaction that is about to leave the queue. The daemon
    /// will not deliver it again, unless it was finished here before the restore began.
    func mustReport(_ transaction: Transaction, for pending: PendingRestore) -> Bool {
        guard pending.covers(transaction) else {
            return false
        }
        guard let entry = entries[transaction.id] else {
            return !wasRemoved(transaction.id)
        }
        return entry.notifiedAt <= pending.notificationCount && (pending.isBegun || !entry.isFinishing)
    }

    /// Returns the object to report again before the transaction leaves the queue.
    mutating func reportBeforeRemoval(_ transaction: Transaction) -> SKPaymentTransaction? {
        if entries[transaction.id] == nil {
            insert(transaction, isStored: true)
        }
        return show(transaction)
    }

    /// Breaks the reference cycles between transactions and downloads at the end.
    func releaseDownloads() {
        entries.values.forEach { $0.object.releaseDownloads() }
    }

    /// How to finish a transaction.
    enum Finish: Equatable {
        /// It is not in the queue or is already being finished.
        case nothing
        /// Only this process knows it; remove it locally.
        case here(UUID)
        case atDaemon(UUID)
    }

    mutating func finish(_ object: SKPaymentTransaction) -> Finish {
        guard let id = object.tillIdentifier, let entry = entries[id], entry.object === object, !entry.isFinishing
        else {
            return .nothing
        }
        entries[id]?.isFinishing = true
        return entry.isStored ? .atDaemon(id) : .here(id)
    }

    /// Records that finishing failed.
    mutating func finishingFailed(_ id: UUID) {
        entries[id]?.isFinishing = false
    }

    private mutating func insert(_ transaction: Transaction, isStored: Bool) {
        count += 1
        let object = removedObjects.removeValue(forKey: transaction.id)?.object ?? SKPaymentTransaction(transaction)
        entries[transaction.id] = Entry(object: object, number: count, shown: transaction, isStored: isStored)
    }

    private mutating func show(_ transaction: Transaction) -> SKPaymentTransaction? {
        entries[transaction.id]?.shown = transaction
        entries[transaction.id]?.notifiedAttachment = attachment
        notificationCount += 1
        entries[transaction.id]?.notifiedAt = notificationCount
        let object = entries[transaction.id]?.object
        object?.show(transaction)
        return object
    }
}

extension Transaction {
    /// Whether both have the same contents in StoreKit's view. The payment of a transaction never changes.
    fileprivate func hasSameContents(as other: Transaction) -> Bool {
        state == other.state && purchase == other.purchase && error == other.error && original == other.original
    }
}
