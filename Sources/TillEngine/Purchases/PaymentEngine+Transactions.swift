package import FoundationEssentials
package import TillModel

#if MUTANTS
    import Mutants
#endif

extension PaymentEngine {
    /// Transactions in one page of a list.
    package static let pageMaximum = 64
    package static let pageDefault = 64
    /// Renewals that one transaction can stand for.
    static let renewalsMaximum = 1000

    /// Takes the transaction out of the queue; finishing it again is harmless.
    ///
    /// - Parameter includingOlderRenewals: Whether older unfinished renewals of its subscription leave with it.
    /// - Returns: The change that removed it.
    /// - Throws: `notFound` for a transaction that this queue never had, `failedPrecondition` while it is purchasing or
    ///   deferred: nothing happened. `unavailable` when the outcome is unknown.
    package func finishTransaction(
        _ id: UUID,
        in name: QueueName,
        includingOlderRenewals: Bool = false
    ) async throws(TillError) -> UInt64 {
        try await commit { context in
            guard let transaction = try context.ledger.transaction(id),
                try context.ledger.queue(key: transaction.queue)?.name == name
            else {
                return .failure(TillError(.notFound, "The queue has no transaction \(id.text)."))
            }
            guard transaction.finishedAt == nil else {
                return .success(transaction.revision)
            }
            guard transaction.state.isFinal else {
                return .failure(
                    TillError(
                        .failedPrecondition,
                        "Cannot finish a \(transaction.state) transaction: \(id.text). Wait until it is purchased, failed or restored."
                    )
                )
            }
            #if MUTANTS
                context.isAnsweredEarly = Mutant.finishAnsweredBeforeCommit.isPlanted
            #endif
            if includingOlderRenewals {
                try Self.finishRenewals(before: transaction, &context)
            }
            return .success(try Self.finish(transaction, &context))
        }
    }

    /// The transaction as it is now, with the progress of its downloads.
    func current(_ record: TransactionRecord) -> Transaction {
        var transaction = record.transaction(identifiedBy: numbering)
        if !transaction.downloads.isEmpty {
            transaction.downloads = record.downloads.map(active.current)
        }
        return transaction
    }

    private static func finish(_ transaction: TransactionRecord, _ context: inout CommandContext) throws -> UInt64 {
        var transaction = transaction
        transaction.finishedAt = context.now
        if let revocation = transaction.revocation {
            // The order of the two decides what the last change was. A revocation that nobody has acknowledged is still to
            // be told: who finishes the purchase may not know of it.
            transaction.finishedAt =
                transaction.isRevocationPending
                ? min(context.now, revocation.date) : max(context.now, revocation.date.addingTimeInterval(0.001))
        }
        try endDownloads(of: transaction, &context)
        return try context.save(transaction).revision
    }

    private static func finishRenewals(
        before transaction: TransactionRecord,
        _ context: inout CommandContext
    ) throws {
        // A restored copy stands for none, and neither does a renewal that is revoked.
        guard let term = transaction.term, term.isRenewal, transaction.state == .purchased,
            transaction.revocation == nil
        else {
            return
        }
        let renewals = try context.ledger.unfinishedRenewals(
            ofSubscription: term.subscription,
            limit: renewalsMaximum
        )
        for renewal in renewals where renewal.key < transaction.key {
            _ = try finish(renewal, &context)
        }
    }

    /// A page of the queue's transactions, the oldest first, and the token of the next page if there is more.
    ///
    /// - Parameters:
    ///   - token: What the page before returned; 0 for the first page.
    ///   - limit: At most ``pageMaximum``.
    package func transactions(
        in name: QueueName,
        token: UInt64,
        includeFinished: Bool,
        limit: Int
    ) async throws(TillError) -> (page: [Transaction], next: UInt64?) {
        guard (1...Self.pageMaximum).contains(limit) else {
            throw TillError(.invalidArgument, "The page size must be 1 to \(Self.pageMaximum).")
        }
        let records = try await read { ledger in
            let queue = try ledger.queue(name)
            let key = try ledger.key(ofToken: token) { try ledger.hasTransaction($0, in: queue) }
            guard let queue else {
                return [TransactionRecord]()
            }
            return try ledger.transactions(
                in: queue.key,
                afterKey: key,
                includeFinished: includeFinished,
                limit: limit
            )
        }
        let (page, next) = PageWeight.page(of: records, limit: limit)
        return (page.map { current($0) }, next)
    }
}
