import FoundationEssentials
import TillModel
import TillWire

extension PaymentQueue {
    /// Restores the account's purchases and waits for the end; each comes as a restored transaction in ``changes``.
    ///
    /// A call while a restore of the same username is under way joins that one.
    ///
    /// - Parameter applicationUsername: Restricts the restore to purchases made with this username.
    /// - Returns: How many were restored; those delivered before and not finished yet are among them.
    /// - Throws: `PaymentError` when the restore failed; `TillError` when its end could not be learnt, which is
    ///   `deadlineExceeded` after the configured time.
    @discardableResult
    public func restoreCompletedTransactions(applicationUsername: String? = nil) async throws -> Int {
        let request = RestoreCompletedTransactionsRequest(
            restoreID: .version7(),
            applicationUsername: applicationUsername
        )
        return try await withThrowingTaskGroup(of: Int.self) { group in
            group.addTask { try await self.restore(request) }
            group.addTask { [configuration] in
                try await Task.sleep(for: configuration.restoreTimeout)
                throw TillError(.deadlineExceeded, "The restore did not end in time; it may still go on.")
            }
            defer { group.cancelAll() }
            return try await group.next() ?? 0
        }
    }

    private func restore(_ request: RestoreCompletedTransactionsRequest) async throws -> Int {
        let response: RestoreCompletedTransactionsResponse = try await call(.restoreCompletedTransactions, request)
        if response.state == .finished {
            return response.restoredCount
        }
        for try await change in Changes(queue: self, cursor: response.revision) {
            switch change {
            case .restoreFinished(response.restoreID, let count):
                return count
            case .restoreFailed(response.restoreID, let error):
                throw error
            default:
                continue
            }
        }
        throw TillError(.cancelled, "The wait for the restore was cancelled; the restore goes on.")
    }
}
