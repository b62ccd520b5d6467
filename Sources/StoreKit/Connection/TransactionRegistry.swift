import Foundation
import TillModel

/// The one object that stands for each transaction, for as long as anybody may hold it.
///
/// Objects change here and nowhere else, right before observers are told.
struct TransactionRegistry {
    /// How many that are out of the queue, and may be let go of, are looked through at a time.
    private static let sweepMinimum = 1024

    private struct Entry {
        let object: SKPaymentTransaction
        /// The order in which they came.
        let number: Int
        var shown: Transaction
        /// The attachment of observers that was told of what is shown; 0 for none.
        var toldIn = 0
        /// When it was last told in one of its states, by ``tellings``.
        var toldAt = 0
        /// Whether the daemon has it.
        var isStored: Bool
        var isFinishing = false
    }

    private struct Former {
        weak var object: SKPaymentTransaction?
    }

    private var entries: [UUID: Entry] = [:]
    private var formers: [UUID: Former] = [:]
    /// How often transactions were told in their states.
    private(set) var tellings = 0
    private var sweepAt = sweepMinimum
    private var count = 0
    /// The attachment of observers that is told; 0 before the first.
    private var attachment = 0

    /// What is in the queue, in the order in which it came.
    var transactions: [SKPaymentTransaction] {
        entries.values.sorted { $0.number < $1.number }.map(\.object)
    }

    /// What the daemon has, as far as is known.
    var stored: Set<UUID> {
        Set(entries.values.lazy.filter(\.isStored).map(\.shown.id))
    }

    /// What is being bought now.
    var unsettled: [(id: UUID, object: SKPaymentTransaction)] {
        entries.values.filter { !$0.shown.state.isFinal }.sorted { $0.number < $1.number }.map {
            ($0.shown.id, $0.object)
        }
    }

    /// A first observer has come: everything is news again.
    ///
    /// - Parameter number: Rises from one attachment to the next.
    /// - Returns: What only this process knows, and the daemon will therefore not deliver.
    mutating func attach(_ number: Int) -> [SKPaymentTransaction] {
        attachment = max(attachment, number)
        let own = entries.values.filter { !$0.isStored }.sorted { $0.number < $1.number }
        own.forEach { entries[$0.shown.id]?.toldIn = attachment }
        return own.map(\.object)
    }

    /// A payment was added here, and is not at the daemon yet.
    ///
    /// - Returns: Whether it is new; the store may ask for one again that is in the queue, or was.
    mutating func add(_ transaction: Transaction) -> Bool {
        guard entries[transaction.id] == nil, !isFormer(transaction.id) else {
            return false
        }
        insert(transaction, isStored: false)
        return true
    }

    /// - Returns: The payment's object, unless observers know of it.
    mutating func tellAdded(_ id: UUID) -> SKPaymentTransaction? {
        guard let entry = entries[id], entry.toldIn != attachment else {
            return nil
        }
        entries[id]?.toldIn = attachment
        return entry.object
    }

    /// The daemon has the payment.
    mutating func stored(_ id: UUID) {
        entries[id]?.isStored = true
    }

    /// The daemon does not take the payment.
    mutating func reject(_ id: UUID, _ error: PaymentError) -> SKPaymentTransaction? {
        guard var transaction = entries[id]?.shown, !transaction.state.isFinal else {
            return nil
        }
        transaction.state = .failed
        transaction.error = error
        return show(transaction)
    }

    /// The transaction is now like this.
    ///
    /// - Returns: Its object, unless observers know it so.
    mutating func update(_ transaction: Transaction) -> SKPaymentTransaction? {
        guard let entry = entries[transaction.id] else {
            insert(transaction, isStored: true)
            return show(transaction)
        }
        entries[transaction.id]?.isStored = true
        guard transaction.revision >= entry.shown.revision else {
            return nil
        }
        guard !transaction.looks(like: entry.shown) || entry.toldIn != attachment else {
            entries[transaction.id]?.shown = transaction
            return nil
        }
        return show(transaction)
    }

    /// The transaction is out of the queue.
    ///
    /// - Returns: Its object, if it was in there.
    mutating func remove(_ id: UUID) -> SKPaymentTransaction? {
        guard let entry = entries.removeValue(forKey: id) else {
            return nil
        }
        entry.object.releaseDownloads()
        formers[id] = Former(object: entry.object)
        if formers.count >= sweepAt {
            formers = formers.filter { $0.value.object != nil }
            sweepAt = max(Self.sweepMinimum, formers.count * 2)
        }
        return entry.object
    }

    /// Downloads are now like this.
    ///
    /// - Returns: The objects of those that look different, each once.
    func update(_ downloads: [Download]) -> [SKDownload] {
        var changed: [SKDownload] = []
        for download in downloads {
            let objects = entries[download.transactionID]?.object.show([download]) ?? []
            changed += objects.filter { object in !changed.contains { $0 === object } }
        }
        return changed
    }

    /// Whether the transaction was in the queue and is not any more, as far as that is remembered.
    func isFormer(_ id: UUID) -> Bool {
        formers[id] != nil
    }

    /// All that is unfinished at the daemon was delivered to these observers: what they were not told of is finished.
    ///
    /// - Returns: Nothing if others have come since, who are still to be told.
    mutating func retireUntold(by observers: Int) -> [SKPaymentTransaction] {
        guard observers == attachment else {
            return []
        }
        let untold = entries.values.filter { $0.isStored && $0.toldIn != attachment }
        return retire(Set(untold.map(\.shown.id)))
    }

    /// These are not in the queue at the daemon any more.
    ///
    /// - Returns: Those that were in here, in order.
    mutating func retire(_ ids: Set<UUID>) -> [SKPaymentTransaction] {
        let retired = ids.compactMap { entries[$0] }.sorted { $0.number < $1.number }
        return retired.compactMap { remove($0.shown.id) }
    }

    /// The transaction as it is shown; nil if it is not in the queue.
    func transaction(_ id: UUID) -> Transaction? {
        entries[id]?.shown
    }

    /// What is in the queue and covered by a restore, and was not told since the restore was asked for: also what is
    /// being finished since then.
    mutating func restored(for order: RestoreOrder) -> [SKPaymentTransaction] {
        let untold = entries.values.filter { order.covers($0.shown) && $0.toldAt <= order.tellings }
        return untold.sorted { $0.number < $1.number }.compactMap { show($0.shown) }
    }

    /// Whether a restore that is under way still has to tell of a transaction that is about to leave the queue. It will
    /// not bring that again, unless the transaction was finished here before the restore began.
    func isOwed(_ transaction: Transaction, to order: RestoreOrder) -> Bool {
        guard order.covers(transaction) else {
            return false
        }
        guard let entry = entries[transaction.id] else {
            return !isFormer(transaction.id)
        }
        return entry.toldAt <= order.tellings && (order.isBegun || !entry.isFinishing)
    }

    /// Tells observers of a transaction, again or for the first time, before it leaves the queue.
    mutating func tellLeaving(_ transaction: Transaction) -> SKPaymentTransaction? {
        if entries[transaction.id] == nil {
            insert(transaction, isStored: true)
        }
        return show(transaction)
    }

    /// Nothing is shown any more: transactions and their downloads let go of each other.
    func releaseDownloads() {
        entries.values.forEach { $0.object.releaseDownloads() }
    }

    /// How to finish the object's transaction.
    enum Finish: Equatable {
        /// It is not in the queue, or being finished.
        case nothing
        /// Only this process knows it.
        case here(UUID)
        case atDaemon(UUID)
    }

    mutating func finish(_ object: SKPaymentTransaction) -> Finish {
        guard let id = object.identity, let entry = entries[id], entry.object === object, !entry.isFinishing else {
            return .nothing
        }
        entries[id]?.isFinishing = true
        return entry.isStored ? .atDaemon(id) : .here(id)
    }

    /// It was not finished after all.
    mutating func keep(_ id: UUID) {
        entries[id]?.isFinishing = false
    }

    private mutating func insert(_ transaction: Transaction, isStored: Bool) {
        count += 1
        let object = formers.removeValue(forKey: transaction.id)?.object ?? SKPaymentTransaction(transaction)
        entries[transaction.id] = Entry(object: object, number: count, shown: transaction, isStored: isStored)
    }

    private mutating func show(_ transaction: Transaction) -> SKPaymentTransaction? {
        entries[transaction.id]?.shown = transaction
        entries[transaction.id]?.toldIn = attachment
        tellings += 1
        entries[transaction.id]?.toldAt = tellings
        let object = entries[transaction.id]?.object
        object?.show(transaction)
        return object
    }
}

extension Transaction {
    /// Whether StoreKit shows both alike. The payment of a transaction never changes.
    fileprivate func looks(like other: Transaction) -> Bool {
        state == other.state && purchase == other.purchase && error == other.error && original == other.original
    }
}
