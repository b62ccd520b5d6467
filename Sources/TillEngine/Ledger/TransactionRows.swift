package import FoundationEssentials
package import TillModel

package protocol TransactionReader {
    /// A key above all that were given before, also to commits that were rolled back. Giving it changes no row, so that a
    /// receipt can name the key before the commit that stores both.
    func newTransactionKey() throws -> Int64
    /// The transaction with this identity, in any queue.
    func transaction(_ id: UUID) throws -> TransactionRecord?
    func transaction(key: Int64) throws -> TransactionRecord?
    /// The key of the transaction with this identity, which is less to read.
    func transactionKey(_ id: UUID) throws -> Int64?
    /// The queue's unfinished transactions with a key above `key`, by key.
    func unfinishedTransactions(in queue: Int64, afterKey key: Int64, limit: Int) throws -> [TransactionRecord]
    /// The queue's transactions with a key below `key` that belong in the application's receipt, the newest first.
    func receiptTransactions(in queue: Int64, beforeKey key: Int64, limit: Int) throws -> [TransactionRecord]
    /// The queue's transactions changed after `revision`, finished ones included, by revision.
    func transactions(in queue: Int64, changedAfter revision: UInt64, limit: Int) throws -> [TransactionRecord]
    /// The queue's transactions with a revision in the range that are unfinished or whose revocation is pending, by
    /// revision.
    func deliverableTransactions(in queue: Int64, revisions: ClosedRange<UInt64>, limit: Int) throws
        -> [TransactionRecord]
    /// Transactions of all queues that pass the filter, with a key above `key`, by key.
    func transactions(matching filter: TransactionFilter, afterKey key: Int64, limit: Int) throws
        -> [TransactionRecord]
    /// Transactions of all queues that pass the filter, with a key below `key`, the newest first.
    func transactions(matching filter: TransactionFilter, beforeKey key: Int64, limit: Int) throws
        -> [TransactionRecord]
    /// Transactions with a key in the range that have left their queues and have a receipt or a history, by key.
    func unprunedTransactions(in keys: ClosedRange<Int64>) throws -> [TransactionRecord]
    /// Transactions of all queues that are purchasing or deferred and wait for one of these, with a key above `key`, by
    /// key: of one account, or of any when nil. Transactions that wait for the provider are left out: their charges
    /// show that. A ledger need not tell the two apart that wait for the user, `authorization` and `payerAction`.
    func transactions(waitingFor blockers: Set<Blocker>, account: String?, afterKey key: Int64, limit: Int) throws
        -> [TransactionRecord]
    /// Transactions whose wait for a person ends at `date` or before, the longest due first.
    func overdueTransactions(at date: Date, limit: Int) throws -> [TransactionRecord]
    /// Transactions whose wait for a person ends only after `date`, the latest due first.
    func transactions(waitingBeyond date: Date, limit: Int) throws -> [TransactionRecord]
    /// The transaction that entitles the queue's account to a product that is bought once.
    func entitlement(to productID: String, in queue: Int64) throws -> TransactionRecord?
    /// Entitlements to non-consumables and to non-renewing subscriptions with a key above `key`, by key.
    func entitlements(in queue: Int64, afterKey key: Int64, limit: Int) throws -> [TransactionRecord]
    /// Finished entitlements to restorable products with a key above `key`, by key: of one username, or of any when
    /// nil.
    func restorableTransactions(in queue: Int64, afterKey key: Int64, applicationUsername: String?, limit: Int) throws
        -> [TransactionRecord]
    func restorableCount(in queue: Int64, applicationUsername: String?) throws -> Int
    /// The unfinished restored transaction of a purchase, if there is one; a subscription's periods have one each.
    func unfinishedRestoredTransaction(of purchase: TransactionRecord) throws -> TransactionRecord?
    /// The subscription's unfinished purchased transactions of renewals that are not revoked, by key.
    func unfinishedRenewals(ofSubscription key: Int64, limit: Int) throws -> [TransactionRecord]
    /// The subscription's transactions of paid periods, by key.
    func terms(ofSubscription key: Int64, afterKey: Int64, limit: Int) throws -> [TransactionRecord]
    /// The queue's transactions with open disputes, by key.
    func disputedTransactions(in queue: Int64, limit: Int) throws -> [TransactionRecord]
    /// The keys of transactions that applications have finished in the ledger's database, and which are still in their queues:
    /// of one queue, or of all when nil.
    func finishesInDatabase(inQueue queue: Int64?, limit: Int) throws -> [Int64]
}

extension TransactionReader {
    package func finishesInDatabase(inQueue queue: Int64?, limit: Int) -> [Int64] { [] }

    /// The key of the last transaction that was added before the date, or 0. Only a clock that was set back can move this
    /// border.
    func lastTransactionKey(before date: Date) throws -> Int64 {
        var (first, last) = (Int64(0), Int64.max)
        while first < last {
            let middle = first + (last - first) / 2
            let next = try transactions(matching: TransactionFilter(), afterKey: middle, limit: 1).first
            if let next, next.createdAt < date {
                first = next.key
            } else {
                last = middle
            }
        }
        return first
    }
}

package protocol TransactionWriter {
    /// Inserts the transaction under its key, which is new, or under a new one when it is 0, and returns the key.
    func insert(_ transaction: TransactionRecord) throws -> Int64
    /// Replaces all but the key, the queue, the identity, the payment, the product's type, the date of creation and what
    /// it continues.
    func update(_ transaction: TransactionRecord) throws
    /// Removes the receipt and the history of the transaction with this key.
    func prune(_ key: Int64) throws
    /// Says which transactions and queues will be asked for, whether there are such or not. A ledger for which each question is
    /// a round trip reads them at once.
    func willRead(_ transactions: [TransactionReference], of queues: [QueueName]) throws
    /// Keeps applications from finishing the transaction in the ledger's database until this commit ends.
    ///
    /// - Returns: Whether it could. It does not wait for an application that finishes it there in a transaction of its own.
    func reserveFinish(of transaction: TransactionRecord) throws -> Bool
}

extension TransactionWriter {
    package func willRead(_ transactions: [TransactionReference], of queues: [QueueName]) {}

    package func reserveFinish(of transaction: TransactionRecord) -> Bool { true }
}

/// How a command names the transaction that it is about.
package enum TransactionReference: Sendable {
    case id(UUID)
    case key(Int64)
}

extension TransactionRecord {
    /// Whether the application's receipt holds it for good. Apple's keeps a consumable until it is finished, and everything
    /// else permanently, without restored transactions
    /// (https://developer.apple.com/documentation/storekit/in-app-purchase/original-api-for-in-app-purchase/validating-receipts-with-the-app-store).
    package var staysInApplicationReceipt: Bool {
        state == .purchased && (productType != .consumable && original == nil || term != nil)
    }
}

extension TransactionRecord {
    /// The record with what an update may not change as in the stored record, and without downloads, which are written
    /// separately.
    package func updating(_ stored: TransactionRecord) -> TransactionRecord {
        var record = self
        record.queue = stored.queue
        record.id = stored.id
        record.payment = stored.payment
        record.productType = stored.productType
        record.createdAt = stored.createdAt
        record.continues = stored.continues
        record.downloads = []
        return record
    }
}
