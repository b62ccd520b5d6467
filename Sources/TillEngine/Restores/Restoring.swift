import FoundationEssentials
import TillModel

/// Restores purchases page by page, each step within a commit.
struct Restoring: Sendable {
    /// Restored transactions in one commit.
    static let page = 64

    let completion: Completion
    /// How long a restore may take from one page to the next.
    let deadline: Duration
    let makeID: @Sendable () -> UUID

    /// Begins a restore, or joins the restore of the same username that is under way and has restored nothing yet.
    func begin(
        _ id: UUID,
        applicationUsername: String?,
        in name: QueueName,
        _ context: inout CommandContext
    ) throws -> Result<RestoreRecord, TillError> {
        let queue = try context.queue(name)
        if let existing = try context.ledger.restore(id) {
            guard existing.queue == queue.key, existing.applicationUsername == applicationUsername else {
                return .failure(TillError(.alreadyExists, "The identity \(id.text) belongs to another restore."))
            }
            return .success(existing)
        }
        try Finishing.followAll(inQueue: queue.key, &context)
        if let joined = try context.ledger.joinableRestore(in: queue.key, applicationUsername: applicationUsername) {
            // Durable, so that the status under this identity is that of the restore which it joined.
            try context.ledger.insert(joined: id, to: joined.id)
            return .success(joined)
        }
        let restore = RestoreRecord(
            id: id,
            queue: queue.key,
            applicationUsername: applicationUsername,
            revision: queue.revision,
            total: try context.ledger.restorableCount(in: queue.key, applicationUsername: applicationUsername),
            createdAt: context.now,
            deadline: context.now.addingTimeInterval(deadline.timeInterval)
        )
        try context.insert(restore)
        return .success(restore)
    }

    /// The facts of the receipts of the page that follows the purchase with the key, as far as they are known before the
    /// commit that stores it.
    func facts(
        ofPageOf restore: RestoreRecord,
        in queue: QueueRecord,
        afterKey key: Int64,
        at date: Date,
        _ ledger: any LedgerReader
    ) throws -> [ReceiptFacts] {
        try page(of: restore, afterKey: key, ledger).map { original in
            var restored = copy(of: original, at: date)
            restored.key = try ledger.newTransactionKey()
            return try completion.receipts.facts(of: restored, in: queue, at: date, ledger)
        }
    }

    /// Restores the next page of a running restore.
    ///
    /// - Parameter signedAhead: The receipts of the page; each is used if its facts still hold.
    /// - Returns: Whether there may be more.
    func restorePage(_ id: UUID, signedAhead: SignedPage, _ context: inout CommandContext) throws -> Bool {
        guard var restore = try context.ledger.restore(id), restore.state == .running else {
            return false
        }
        guard context.now < restore.deadline else {
            let error = PaymentError(.unknown, "The restore took too long; try again.", reason: .expired)
            _ = try Self.fail(restore, with: error, &context)
            return false
        }
        try Finishing.followAll(inQueue: restore.queue, &context)
        let originals = try page(of: restore, afterKey: restore.cursor, context.ledger)
        if let queue = try context.ledger.queue(key: restore.queue) {
            let restored = try originals.compactMap { try self.restored($0, signedAhead[$0.key], context) }
            try completion.save(restored, in: queue, signedAhead: signedAhead, &context)
        }
        restore.deadline = context.now.addingTimeInterval(deadline.timeInterval)
        restore.cursor = originals.last?.key ?? restore.cursor
        restore.count += originals.count
        let isLast = originals.count < Self.page
        if isLast {
            restore.state = .finished
            try context.append(.restoreFinished(id: id, count: restore.count), toQueue: restore.queue)
        }
        try context.ledger.update(restore)
        return !isLast
    }

    private func page(of restore: RestoreRecord, afterKey key: Int64, _ ledger: any LedgerReader) throws
        -> [TransactionRecord]
    {
        try ledger.restorableTransactions(
            in: restore.queue,
            afterKey: key,
            applicationUsername: restore.applicationUsername,
            limit: Self.page
        )
    }

    /// A restored transaction of the purchase; nil when the queue has one already, which serves both restores.
    ///
    /// - Parameter signedAhead: The receipt that was signed for it, which names its identities and dates.
    private func restored(
        _ original: TransactionRecord,
        _ signedAhead: SignedAhead?,
        _ context: CommandContext
    ) throws -> TransactionRecord? {
        guard try context.ledger.unfinishedRestoredTransaction(of: original) == nil else {
            return nil
        }
        guard let signed = signedAhead?.facts.transaction else {
            return copy(of: original, at: context.now)
        }
        var restored = copy(of: original, id: signed.id, at: signed.createdAt)
        restored.key = signed.key
        return restored
    }

    private func copy(of original: TransactionRecord, id: UUID? = nil, at date: Date) -> TransactionRecord {
        var sale = original.sale
        sale?.storefront = original.pricedStorefront
        return TransactionRecord(
            queue: original.queue,
            id: id ?? makeID(),
            payment: original.payment,
            productType: original.productType,
            state: .restored,
            revision: 0,
            createdAt: date,
            purchasedAt: date,
            original: original.asOriginal,
            repeats: original.key,
            offer: original.offer,
            sale: sale,
            term: original.term
        )
    }

    /// Fails a restore that is under way; one that has ended stays as it is.
    static func fail(
        _ restore: RestoreRecord,
        with error: PaymentError,
        _ context: inout CommandContext
    ) throws -> RestoreRecord {
        guard restore.state == .running else {
            return restore
        }
        var ended = restore
        ended.state = .failed
        ended.error = error
        try context.ledger.update(ended)
        try context.append(.restoreFailed(id: restore.id, error: error), toQueue: restore.queue)
        return ended
    }
}

/// The receipts of a page of a restore, signed before the commit that stores it.
struct SignedPage: Sendable {
    /// The key of the page's last purchase; nil for a page that is not full, which no other follows.
    private(set) var end: Int64?
    private var receipts: [Int64: SignedAhead] = [:]

    /// A page whose receipts its commit signs.
    init() {}

    /// - Parameter outcomes: Of signing the facts. Where that failed, the commit tries again.
    init(_ facts: [ReceiptFacts], _ outcomes: [Result<SignedReceipt, any Error>]) {
        end = facts.count < Restoring.page ? nil : facts.last?.transaction.repeats
        for (facts, outcome) in zip(facts, outcomes) {
            if let original = facts.transaction.repeats, let receipt = try? outcome.get() {
                receipts[original] = SignedAhead(facts: facts, receipt: receipt)
            }
        }
    }

    /// The receipt for the copy of the purchase with the key.
    subscript(original: Int64) -> SignedAhead? {
        receipts[original]
    }
}
