package import FoundationEssentials

/// The durable store of queues, transactions, charges and restores. It is the truth: nothing that lives in the process's
/// memory decides anything.
///
/// Several daemons may share one ledger, so an implementation serialises the writers of a queue.
package protocol Ledger: Sendable {
    /// The ledger's own identity, made when it was created.
    var id: UUID { get }

    /// Runs `work` in one transaction and returns once that is durable.
    ///
    /// - Throws: Whatever `work` throws, after which nothing has changed; or the store's error, after which the
    ///   outcome is unknown: a commit that failed may still have happened.
    func commit<Value: Sendable>(_ work: @escaping @Sendable (any LedgerWriter) throws -> Value) async throws -> Value

    /// Runs `work` on one consistent state of everything committed so far.
    func read<Value: Sendable>(_ work: @escaping @Sendable (any LedgerReader) throws -> Value) async throws -> Value
}

/// Reads rows within one transaction of a ledger.
package protocol LedgerReader {
    func queue(_ name: QueueName) throws -> QueueRecord?
    func queue(key: Int64) throws -> QueueRecord?

    /// The transaction with this identity, in whichever queue.
    func transaction(_ id: UUID) throws -> TransactionRecord?
    func transaction(key: Int64) throws -> TransactionRecord?
    /// The queue's transactions with a key above `key`, by key.
    func transactions(in queue: Int64, afterKey key: Int64, includeFinished: Bool, limit: Int) throws
        -> [TransactionRecord]
    /// The queue's transactions changed after `revision`, finished ones included, by revision.
    func transactions(in queue: Int64, changedAfter revision: UInt64, limit: Int) throws -> [TransactionRecord]
    /// The queue's unfinished transactions with a revision in the range, by revision.
    func unfinishedTransactions(in queue: Int64, revisions: ClosedRange<UInt64>, limit: Int) throws
        -> [TransactionRecord]
    /// The transaction that entitles the queue's account to a product that is bought once.
    func entitlement(to productID: String, in queue: Int64) throws -> TransactionRecord?
    /// Finished entitlements with a key above `key`, by key: of one username, or of any when nil.
    func restorableTransactions(in queue: Int64, afterKey key: Int64, applicationUsername: String?, limit: Int) throws
        -> [TransactionRecord]
    /// The unfinished restored transaction of an original, if there is one.
    func unfinishedRestoredTransaction(ofOriginal key: Int64) throws -> TransactionRecord?

    func charge(forTransaction key: Int64) throws -> ChargeRecord?
    /// Charges that are neither settled nor waiting, and due at `date` or before, the longest due first.
    func dueCharges(at date: Date, limit: Int) throws -> [ChargeRecord]
    /// When the next charge that is neither settled nor waiting is due.
    func nextChargeDue() throws -> Date?
    /// Charges of the queue for the product that are not settled, by transaction key.
    func openCharges(for productID: String, in queue: Int64) throws -> [ChargeRecord]
    /// All charges by transaction key, for comparing them with the provider's record.
    func charges(afterKey key: Int64, limit: Int) throws -> [ChargeRecord]

    func restore(_ id: UUID) throws -> RestoreRecord?
    /// The restore of the queue that is under way for the same username.
    func runningRestore(in queue: Int64, applicationUsername: String?) throws -> RestoreRecord?
    /// Restores under way in all queues, the oldest first.
    func runningRestores(limit: Int) throws -> [RestoreRecord]

    /// The queue's events after `revision`, by revision.
    func events(in queue: Int64, after revision: UInt64, limit: Int) throws -> [EventRecord]
}

/// Changes rows within one transaction of a ledger.
package protocol LedgerWriter: LedgerReader {
    func createQueue(_ name: QueueName) throws -> QueueRecord
    /// Gives the queue its next revision, and returns it.
    func advanceRevision(ofQueue key: Int64) throws -> UInt64
    /// Inserts the transaction under a new key, above all keys before, and returns the key.
    func insert(_ transaction: TransactionRecord) throws -> Int64
    /// Replaces what may change of a transaction: state, revision, dates, error, original, entitlement.
    func update(_ transaction: TransactionRecord) throws
    func insert(_ charge: ChargeRecord) throws
    /// Replaces what may change of a charge: state, attempts, due date, reference.
    func update(_ charge: ChargeRecord) throws
    func insert(_ restore: RestoreRecord) throws
    /// Replaces what may change of a restore: state, cursor, count.
    func update(_ restore: RestoreRecord) throws
    func insert(_ event: EventRecord) throws
    /// Deletes all but the newest `count` events of the queue, and raises the queue's floor to the newest deleted.
    func pruneEvents(ofQueue key: Int64, keeping count: Int) throws
}
