import FoundationEssentials
import TillModel

#if MUTANTS
    import Mutants
#endif

/// Takes transactions out of their queues, within a command.
enum Finishing {
    /// Finishes a transaction for an application; finishing it again is harmless.
    ///
    /// - Parameter includingOlderRenewals: Whether older unfinished renewals of its subscription leave with it.
    /// - Returns: The change that removed it.
    static func finish(
        _ id: UUID,
        in name: QueueName,
        includingOlderRenewals: Bool,
        _ context: inout CommandContext
    ) throws -> Result<UInt64, TillError> {
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
        let renewals = includingOlderRenewals ? try renewals(before: transaction, context.ledger) : []
        // Before the first change, because a command that fails must not have changed anything.
        for leaving in renewals + [transaction] where try !context.ledger.reserveFinish(of: leaving) {
            return .failure(
                TillError(
                    .failedPrecondition,
                    "An application finishes the transaction \(leaving.id.text) in the database. Try again when that has ended."
                )
            )
        }
        #if MUTANTS
            context.isAnsweredEarly = Mutant.finishAnsweredBeforeCommit.isPlanted
        #endif
        for renewal in renewals {
            _ = try finish(renewal, &context)
        }
        return .success(try finish(transaction, &context))
    }

    /// Finishes in the ledger's database that are read at once.
    private static let page = 256

    /// Finishes everything in the queue that applications have finished in the ledger's database, before a command whose outcome
    /// depends on that.
    static func followAll(inQueue queue: Int64, _ context: inout CommandContext) throws {
        while case let keys = try context.ledger.finishesInDatabase(inQueue: queue, limit: page), !keys.isEmpty {
            for key in keys {
                try follow(key, &context)
            }
        }
    }

    /// Finishes a transaction that an application has finished in the ledger's database.
    static func follow(_ key: Int64, _ context: inout CommandContext) throws {
        if let transaction = try context.ledger.transaction(key: key), transaction.finishedAt == nil {
            _ = try finish(transaction, &context)
        }
    }

    private static func finish(_ transaction: TransactionRecord, _ context: inout CommandContext) throws -> UInt64 {
        var transaction = transaction
        transaction.finishedAt = context.now
        if let revocation = transaction.revocation {
            // The order of the two dates decides which change was the last. Observers are still to be notified of a
            // revocation that nobody has acknowledged: the application that finishes the purchase may not know of it.
            transaction.finishedAt =
                transaction.isRevocationPending
                ? min(context.now, revocation.date) : max(context.now, revocation.date.addingTimeInterval(0.001))
        }
        try Downloads.end(of: transaction, &context)
        return try context.save(transaction).revision
    }

    /// The unfinished renewals that leave the queue with a later one.
    private static func renewals(
        before transaction: TransactionRecord,
        _ ledger: any LedgerReader
    ) throws -> [TransactionRecord] {
        // Neither a restored copy nor a revoked renewal includes older renewals.
        guard let term = transaction.term, term.isRenewal, transaction.state == .purchased,
            transaction.revocation == nil
        else {
            return []
        }
        return try ledger.unfinishedRenewals(
            ofSubscription: term.subscription,
            limit: TransactionRecord.renewalsMaximum
        )
        .filter { $0.key < transaction.key }
    }
}
