public import FoundationEssentials
public import TillModel
import TillWire

/// The progress of a restore.
public struct RestoreProgress: Hashable, Sendable, Identifiable {
    public var id: UUID
    public var state: RestoreState
    /// How many were restored so far.
    public var restoredCount: Int
    /// How many there are to restore in all, as far as is known.
    public var totalCount: Int
    /// Present when failed.
    public var error: PaymentError?
}

extension PaymentQueue {
    /// Begins to restore the account's purchases, and returns once that is durable. Each purchase arrives as a restored
    /// transaction in ``changes``, followed by the end of the restore.
    ///
    /// - Parameters:
    ///   - id: The restore's identity. Beginning the same restore again is harmless.
    ///   - applicationUsername: Restricts the restore to purchases made with this username.
    /// - Returns: The running restore, which has another identity if the call joined one that was running.
    @discardableResult
    public func beginRestore(
        id: UUID = .version7(),
        applicationUsername: String? = nil
    ) async throws(TillError) -> RestoreProgress {
        let request = RestoreCompletedTransactionsRequest(restoreID: id, applicationUsername: applicationUsername)
        return RestoreProgress(try await call(request))
    }

    /// The progress of a restore, even after its end.
    ///
    /// - Throws: `notFound` if this queue never had it.
    public func status(ofRestore id: UUID) async throws(TillError) -> RestoreProgress {
        RestoreProgress(try await call(RestoreStatusRequest(restoreID: id)))
    }

    /// Stops a restore, which then fails with the reason `stopped`. Restored transactions stay in the queue.
    ///
    /// - Returns: The restore after the call. A restore that has ended is not changed.
    /// - Throws: `notFound` if this queue never had it.
    @discardableResult
    public func cancelRestore(_ id: UUID) async throws(TillError) -> RestoreProgress {
        RestoreProgress(try await call(CancelRestoreRequest(restoreID: id)))
    }
}

extension RestoreProgress {
    fileprivate init(_ response: RestoreCompletedTransactionsResponse) {
        self.init(
            id: response.restoreID,
            state: response.state,
            restoredCount: response.restoredCount,
            totalCount: response.totalCount,
            error: response.error
        )
    }
}

extension PaymentQueue {
    /// Restores the account's purchases and waits for the end. Each arrives as a restored transaction in ``changes``.
    ///
    /// The call joins a running restore of the same username that has not restored anything yet.
    ///
    /// - Parameter applicationUsername: Restricts the restore to purchases made with this username.
    /// - Returns: The number of restored transactions, including unfinished ones that an earlier restore delivered.
    /// - Throws: `PaymentError` when the restore failed; `TillError` when its outcome is unknown, such as
    ///   `deadlineExceeded` after the configured time.
    @discardableResult
    public func restoreCompletedTransactions(applicationUsername: String? = nil) async throws -> Int {
        try await restoreCompletedTransactions(applicationUsername: applicationUsername) { _ in }
    }

    /// The same, with a call of `body` for each restored transaction.
    ///
    /// - Parameters:
    ///   - id: The restore's identity. To wait for a restore that was begun before, give its identity and username.
    ///   - body: Called once for each, in order, and never after the end. An error that it throws ends the wait.
    package func restoreCompletedTransactions(
        id: UUID = .version7(),
        applicationUsername: String?,
        each body: @escaping @Sendable (Transaction) async throws -> Void
    ) async throws -> Int {
        let request = RestoreCompletedTransactionsRequest(
            restoreID: id,
            applicationUsername: applicationUsername
        )
        return try await withThrowingTaskGroup(of: Int.self) { group in
            group.addTask { try await self.restore(request, body) }
            group.addTask { [configuration] in
                try await Task.sleep(for: configuration.restoreTimeout)
                throw TillError(.deadlineExceeded, "The restore did not end in time; it may still continue.")
            }
            defer { group.cancelAll() }
            return try await group.next() ?? 0
        }
    }

    private func restore(
        _ request: RestoreCompletedTransactionsRequest,
        _ body: (Transaction) async throws -> Void
    ) async throws -> Int {
        let begun = try await call(request)
        // A transaction that is finished during the restore arrives again, as removed.
        var seen: Set<UUID> = []
        // Unfinished transactions of an earlier restore count for this one too.
        for try await transaction in transactions
        where transaction.state == .restored && transaction.revision <= begun.revision
            && request.applicationUsername.map({ $0 == transaction.payment.applicationUsername }) ?? true
        {
            seen.insert(transaction.id)
            try await body(transaction)
        }
        for try await change in watchedChanges(after: begun.revision) {
            switch change {
            case .updated(let transactions), .removed(let transactions), .revoked(let transactions):
                for transaction in transactions
                where transaction.state == .restored && seen.insert(transaction.id).inserted {
                    try await body(transaction)
                }
            case .restoreFinished(begun.restoreID, let count):
                return count
            case .restoreFailed(begun.restoreID, let error):
                throw error
            case .initialDeliveryEnded:
                // The end of the restore may be among changes that the daemon no longer has, or the ledger may be new.
                let progress = try await beginRestore(
                    id: begun.restoreID,
                    applicationUsername: request.applicationUsername
                )
                if let count = try progress.finalCount {
                    return count
                }
            default:
                continue
            }
        }
        throw TillError(.cancelled, "The wait for the restore was cancelled; the restore continues.")
    }
}

extension RestoreProgress {
    /// The number of restored transactions, once the restore has finished.
    fileprivate var finalCount: Int? {
        get throws {
            switch state {
            case .running: nil
            case .finished: restoredCount
            case .failed: throw error ?? PaymentError(.unknown, "The restore failed.", retry: .safe)
            }
        }
    }
}
