package import FoundationEssentials
import TillModel
import TillWire

extension PaymentQueue {
    /// Restores the account's purchases and waits for the end; each comes as a restored transaction in ``changes``.
    ///
    /// A call while a restore of the same username is under way joins that one, if it has brought nothing yet.
    ///
    /// - Parameter applicationUsername: Restricts the restore to purchases made with this username.
    /// - Returns: How many were restored; those delivered before and not finished yet are among them.
    /// - Throws: `PaymentError` when the restore failed; `TillError` when its end could not be learnt, which is
    ///   `deadlineExceeded` after the configured time.
    @discardableResult
    public func restoreCompletedTransactions(applicationUsername: String? = nil) async throws -> Int {
        try await restoreCompletedTransactions(applicationUsername: applicationUsername) { _ in }
    }

    /// The same, with each transaction handed over as it is restored.
    ///
    /// - Parameters:
    ///   - id: The restore's identity; waiting for one that was begun before is to name it with the same username.
    ///   - body: Called once for each, in order, and never after the end; what it throws ends the wait.
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
                throw TillError(.deadlineExceeded, "The restore did not end in time; it may still go on.")
            }
            defer { group.cancelAll() }
            return try await group.next() ?? 0
        }
    }

    private func restore(
        _ request: RestoreCompletedTransactionsRequest,
        _ body: (Transaction) async throws -> Void
    ) async throws -> Int {
        let begun: RestoreCompletedTransactionsResponse = try await call(.restoreCompletedTransactions, request)
        // A transaction that is finished meanwhile comes again, as removed.
        var seen: Set<UUID> = []
        // What an earlier restore brought, and nobody has finished, stands for this one too.
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
                // Its end may be among the changes that were not to be had, or the ledger a new one without it.
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
        throw TillError(.cancelled, "The wait for the restore was cancelled; the restore goes on.")
    }
}

extension RestoreProgress {
    /// How many were restored, once all are.
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
