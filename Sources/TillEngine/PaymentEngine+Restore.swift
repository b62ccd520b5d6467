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

    package init(id: UUID, state: RestoreState, revision: UInt64, count: Int) {
        self.id = id
        self.state = state
        self.revision = revision
        self.count = count
    }

    init(_ restore: RestoreRecord) {
        self.init(id: restore.id, state: restore.state, revision: restore.revision, count: restore.count)
    }
}

extension PaymentEngine {
    /// Restored transactions in one commit.
    static let restorePage = 64

    /// Begins to restore the account's purchases, or joins the restore of the same username that is under way.
    ///
    /// Each restored transaction, and then exactly one end, arrives at the observers.
    package func restoreCompletedTransactions(
        _ id: UUID,
        applicationUsername: String?,
        in name: QueueName
    ) async throws(TillError) -> RestoreStatus {
        try await commit { context in
            let queue = try context.queue(name)
            if let existing = try context.ledger.restore(id) {
                guard existing.queue == queue.key, existing.applicationUsername == applicationUsername else {
                    return .failure(
                        TillError(.alreadyExists, "The identity \(id.text) belongs to another restore.")
                    )
                }
                return .success(RestoreStatus(existing))
            }
            if let running = try context.ledger.runningRestore(in: queue.key, applicationUsername: applicationUsername)
            {
                return .success(RestoreStatus(running))
            }
            let now = self.time.now().roundedToMilliseconds
            let restore = RestoreRecord(
                id: id,
                queue: queue.key,
                applicationUsername: applicationUsername,
                revision: queue.revision,
                createdAt: now,
                deadline: now.addingTimeInterval(self.configuration.restoreDeadline.timeInterval)
            )
            try context.insert(restore)
            return .success(RestoreStatus(restore))
        }
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
        while try await restorePage(restore.id) {
            if time.now() >= restore.deadline {
                let error = PaymentError(.unknown, "The restore took too long; try again.")
                return try await end(restore.id, with: error)
            }
        }
    }

    /// - Returns: Whether there may be more.
    private func restorePage(_ id: UUID) async throws(TillError) -> Bool {
        let now = time.now().roundedToMilliseconds
        return try await commit(isOwn: true) { context in
            guard var restore = try context.ledger.restore(id), restore.state == .running else {
                return .success(false)
            }
            let originals = try context.ledger.restorableTransactions(
                in: restore.queue,
                afterKey: restore.cursor,
                applicationUsername: restore.applicationUsername,
                limit: Self.restorePage
            )
            for original in originals {
                try context.save(self.restored(original, at: now, context.ledger))
            }
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

    /// The unfinished restored transaction of the original, to be delivered again, or a new one.
    private func restored(_ original: TransactionRecord, at now: Date, _ ledger: any LedgerReader) throws
        -> TransactionRecord
    {
        if let unfinished = try ledger.unfinishedRestoredTransaction(ofOriginal: original.key) {
            return unfinished
        }
        return TransactionRecord(
            queue: original.queue,
            id: makeID(),
            payment: original.payment,
            state: .restored,
            revision: 0,
            createdAt: now,
            original: original.asOriginal
        )
    }

    private func end(_ id: UUID, with error: PaymentError) async throws(TillError) {
        try await commit(isOwn: true) { context in
            guard var restore = try context.ledger.restore(id), restore.state == .running else {
                return .success(())
            }
            restore.state = .failed
            try context.ledger.update(restore)
            try context.append(.restoreFailed(id: id, error: error), toQueue: restore.queue)
            return .success(())
        }
    }
}
