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
    /// Begins to restore the account's purchases. If a restore of the same username is under way that has restored nothing
    /// yet, the call joins it, and the identity is another name of that restore from then on.
    ///
    /// A restore that has restored purchases is not joined: observers may have finished those, and would not be notified
    /// of them again.
    ///
    /// Observers receive each restored transaction, and then exactly one end.
    package func restoreCompletedTransactions(
        _ id: UUID,
        applicationUsername: String?,
        in name: QueueName
    ) async throws(TillError) -> RestoreStatus {
        try id.validate(asIdentityOf: "restore")
        return RestoreStatus(
            try await commit { context in
                try self.parts.restoring.begin(id, applicationUsername: applicationUsername, in: name, &context)
            }
        )
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

    /// Ends a restore that is under way, for all calls that joined it: it fails, and the transactions that it has restored
    /// stay. A restore that has ended stays as it is.
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
            return .success(RestoreStatus(try Restoring.fail(restore, with: error, &context)))
        }
    }

    private static func noRestore(_ id: UUID) -> TillError {
        TillError(.notFound, "The queue has no restore \(id.text).")
    }

    func runRestores(_ restores: JobRunner<UUID, RestoreRecord>) async throws {
        try await restores.run(
            find: { limit in try await self.access.ledger.read { try $0.runningRestores(limit: limit) } },
            perform: { restore, _ in
                try await self.access.perform { () throws(TillError) in try await self.process(restore) }
            }
        )
    }

    /// Takes a restore to its end, page by page, each page with its place in one commit. While a page is stored, the next
    /// is signed.
    private func process(_ restore: RestoreRecord) async throws(TillError) {
        guard let queue = try await read({ try $0.queue(key: restore.queue) }) else {
            return
        }
        let name = queue.name
        if let error = await provider.authorizeRestore(application: name.application, account: name.account) {
            return try await commit(isOwn: true) { context in
                if let restore = try context.ledger.restore(restore.id) {
                    _ = try Restoring.fail(restore, with: error, &context)
                }
                return .success(())
            }
        }
        var page = await signedPage(of: restore, in: queue, afterKey: restore.cursor)
        var isRunning = true
        while isRunning {
            let stored = page
            async let next = signedPage(of: restore, in: queue, afterKey: stored.end)
            isRunning = try await commit(isOwn: true) { context in
                .success(try self.parts.restoring.restorePage(restore.id, signedAhead: stored, &context))
            }
            page = await next
        }
    }

    /// The receipts of the page that follows the purchase with the key. What cannot be read is left to the page's commit,
    /// which then throws the error.
    private func signedPage(of restore: RestoreRecord, in queue: QueueRecord, afterKey key: Int64?) async -> SignedPage
    {
        guard let key, let signer = parts.receipts.signer else {
            return SignedPage()
        }
        let now = time.now().roundedToMilliseconds
        let facts = try? await read { ledger in
            try self.parts.restoring.facts(ofPageOf: restore, in: queue, afterKey: key, at: now, ledger)
        }
        return facts.map { SignedPage($0, signer.sign($0)) } ?? SignedPage()
    }
}
