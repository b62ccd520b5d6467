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

    /// Restores the next page of a running restore.
    ///
    /// - Returns: Whether there may be more.
    func restorePage(_ id: UUID, _ context: inout CommandContext) throws -> Bool {
        guard var restore = try context.ledger.restore(id), restore.state == .running else {
            return false
        }
        guard context.now < restore.deadline else {
            let error = PaymentError(.unknown, "The restore took too long; try again.", reason: .expired)
            _ = try Self.fail(restore, with: error, &context)
            return false
        }
        let originals = try context.ledger.restorableTransactions(
            in: restore.queue,
            afterKey: restore.cursor,
            applicationUsername: restore.applicationUsername,
            limit: Self.page
        )
        if let queue = try context.ledger.queue(key: restore.queue) {
            let restored = try originals.compactMap { try self.restored($0, context) }
            try completion.save(restored, in: queue, &context)
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

    /// A restored transaction of the purchase; nil when the queue has one already, which serves both restores.
    private func restored(_ original: TransactionRecord, _ context: CommandContext) throws -> TransactionRecord? {
        guard try context.ledger.unfinishedRestoredTransaction(of: original) == nil else {
            return nil
        }
        var sale = original.sale
        sale?.storefront = original.pricedStorefront
        return TransactionRecord(
            queue: original.queue,
            id: makeID(),
            payment: original.payment,
            productType: original.productType,
            state: .restored,
            revision: 0,
            createdAt: context.now,
            purchasedAt: context.now,
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
