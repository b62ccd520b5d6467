package import FoundationEssentials
package import TillModel

/// A restore as its caller sees it.
package struct RestoreStatus: Hashable, Sendable {
    package var id: UUID
    package var state: RestoreState
    /// A cursor from before the restore: observing after it shows every item and the end.
    package var revision: UInt64
    /// How many were restored so far.
    package var count: Int
    /// How many there were to restore when it began.
    package var total: Int
    /// Present when it failed.
    package var error: PaymentError?

    package init(
        id: UUID,
        state: RestoreState,
        revision: UInt64,
        count: Int,
        total: Int = 0,
        error: PaymentError? = nil
    ) {
        self.id = id
        self.state = state
        self.revision = revision
        self.count = count
        self.total = total
        self.error = error
    }

    init(_ restore: RestoreRecord) {
        self.init(
            id: restore.id,
            state: restore.state,
            revision: restore.revision,
            count: restore.count,
            total: restore.total,
            error: restore.error
        )
    }
}

extension PaymentEngine {
    /// Restored transactions in one commit.
    static let restorePage = 64

    /// Begins to restore the account's purchases, or joins the restore of the same username that is under way and has
    /// brought nothing yet, for which the identity stands from then on.
    ///
    /// One that has brought purchases is not joined: observers may have finished those, so that the caller would not be
    /// told of them.
    ///
    /// Each restored transaction, and then exactly one end, arrives at the observers.
    package func restoreCompletedTransactions(
        _ id: UUID,
        applicationUsername: String?,
        in name: QueueName
    ) async throws(TillError) -> RestoreStatus {
        try id.validate(asIdentityOf: "restore")
        return try await commit { context in
            let queue = try context.queue(name)
            if let existing = try context.ledger.restore(id) {
                guard existing.queue == queue.key, existing.applicationUsername == applicationUsername else {
                    return .failure(
                        TillError(.alreadyExists, "The identity \(id.text) belongs to another restore.")
                    )
                }
                return .success(RestoreStatus(existing))
            }
            if let joined = try context.ledger.joinableRestore(in: queue.key, applicationUsername: applicationUsername)
            {
                // Durable, so that the status under this identity is that of the restore which it joined.
                try context.ledger.insert(joined: id, to: joined.id)
                return .success(RestoreStatus(joined))
            }
            let restore = RestoreRecord(
                id: id,
                queue: queue.key,
                applicationUsername: applicationUsername,
                revision: queue.revision,
                total: try context.ledger.restorableCount(in: queue.key, applicationUsername: applicationUsername),
                createdAt: context.now,
                deadline: context.now.addingTimeInterval(self.configuration.restoreDeadline.timeInterval)
            )
            try context.insert(restore)
            return .success(RestoreStatus(restore))
        }
    }

    /// How far a restore of the queue has come: the one that began with this identity, or the one that it joined.
    ///
    /// - Throws: `notFound` for a restore that this queue never had.
    package func restoreStatus(_ id: UUID, in name: QueueName) async throws(TillError) -> RestoreStatus {
        let restore = try await read { ledger in
            try ledger.restore(id).flatMap { try ledger.queue(key: $0.queue)?.name == name ? $0 : nil }
        }
        guard let restore else {
            throw Self.noRestore(id)
        }
        return RestoreStatus(restore)
    }

    /// Ends a restore that is under way, for all calls that joined it: it fails, and what it has restored stays. One that
    /// has ended stays as it is.
    ///
    /// - Throws: `notFound` for a restore that this queue never had.
    package func cancelRestore(_ id: UUID, in name: QueueName) async throws(TillError) -> RestoreStatus {
        try await commit { context in
            guard let restore = try context.ledger.restore(id),
                try context.ledger.queue(key: restore.queue)?.name == name
            else {
                return .failure(Self.noRestore(id))
            }
            let error = PaymentError(.paymentCancelled, "The restore was cancelled.", reason: .stopped)
            return .success(RestoreStatus(try Self.end(restore, with: error, &context)))
        }
    }

    private static func noRestore(_ id: UUID) -> TillError {
        TillError(.notFound, "The queue has no restore \(id.text).")
    }

    func runRestores(_ restores: JobRunner<UUID, RestoreRecord>) async throws {
        try await restores.run(
            find: { _, limit in try await self.ledger.read { try $0.runningRestores(limit: limit) } },
            perform: { restore, _ in
                try await self.perform { () throws(TillError) in try await self.process(restore) }
            }
        )
    }

    /// Takes a restore to its end, page by page, each page with its place in one commit.
    private func process(_ restore: RestoreRecord) async throws(TillError) {
        guard let queue = try await read({ try $0.queue(key: restore.queue) }) else {
            return
        }
        if let error = await provider.authorizeRestore(application: queue.name.application, account: queue.name.account)
        {
            return try await end(restore.id, with: error)
        }
        while try await restorePage(restore.id) {}
    }

    /// - Returns: Whether there may be more.
    private func restorePage(_ id: UUID) async throws(TillError) -> Bool {
        try await commit(isOwn: true) { context in
            guard var restore = try context.ledger.restore(id), restore.state == .running else {
                return .success(false)
            }
            guard context.now < restore.deadline else {
                let error = PaymentError(.unknown, "The restore took too long; try again.", reason: .expired)
                _ = try Self.end(restore, with: error, &context)
                return .success(false)
            }
            let originals = try context.ledger.restorableTransactions(
                in: restore.queue,
                afterKey: restore.cursor,
                applicationUsername: restore.applicationUsername,
                limit: Self.restorePage
            )
            if let queue = try context.ledger.queue(key: restore.queue) {
                let restored = try originals.compactMap { try self.restored($0, context) }
                try self.saveComplete(restored, in: queue, &context)
            }
            restore.deadline = context.now.addingTimeInterval(self.configuration.restoreDeadline.timeInterval)
            restore.cursor = originals.last?.key ?? restore.cursor
            restore.count += originals.count
            let isLast = originals.count < Self.restorePage
            if isLast {
                restore.state = .finished
                try context.append(.restoreFinished(id: id, count: restore.count), toQueue: restore.queue)
            }
            try context.ledger.update(restore)
            return .success(!isLast)
        }
    }

    /// A restored transaction of the purchase; nil when one is in the queue, which stands for both restores.
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

    private func end(_ id: UUID, with error: PaymentError) async throws(TillError) {
        try await commit(isOwn: true) { context in
            if let restore = try context.ledger.restore(id) {
                _ = try Self.end(restore, with: error, &context)
            }
            return .success(())
        }
    }

    private static func end(
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
