public import FoundationEssentials
public import TillModel
import TillWire

/// How far a restore has come.
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
    /// Begins to restore the account's purchases, and returns once that is durable; each comes as a restored transaction
    /// in ``changes``, and then the end.
    ///
    /// - Parameters:
    ///   - id: The restore's identity: beginning the same again is harmless.
    ///   - applicationUsername: Restricts the restore to purchases made with this username.
    /// - Returns: The restore that runs, which has another identity if the call joined one that was under way.
    @discardableResult
    public func beginRestore(
        id: UUID = .version7(),
        applicationUsername: String? = nil
    ) async throws(TillError) -> RestoreProgress {
        let request = RestoreCompletedTransactionsRequest(restoreID: id, applicationUsername: applicationUsername)
        return RestoreProgress(try await call(.restoreCompletedTransactions, request))
    }

    /// How far a restore has come, also after its end.
    ///
    /// - Throws: `notFound` if this queue never had it.
    public func status(ofRestore id: UUID) async throws(TillError) -> RestoreProgress {
        RestoreProgress(try await call(.restoreStatus, RestoreStatusRequest(restoreID: id)))
    }

    /// Stops a restore, which then fails with the reason `stopped`; what was restored stays in the queue.
    ///
    /// - Returns: The restore as it is then. One that had ended before stays as it is.
    /// - Throws: `notFound` if this queue never had it.
    @discardableResult
    public func cancelRestore(_ id: UUID) async throws(TillError) -> RestoreProgress {
        RestoreProgress(try await call(.cancelRestore, CancelRestoreRequest(restoreID: id)))
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
