import Logging
import TillModel

/// Commits to the ledger and reads it, with the errors that callers are given.
struct LedgerAccess: Sendable {
    let ledger: any Ledger
    let commits: GroupCommit
    let logger: Logger

    /// Runs the command in the next group commit, and returns its answer once that is durable.
    ///
    /// - Parameters:
    ///   - isOwn: Whether the engine itself needs it, so that it is never refused for lack of room.
    ///   - transaction: The transaction that the command is about, if it names one.
    func commit<Value: Sendable>(
        isOwn: Bool = false,
        about transaction: TransactionReference? = nil,
        _ command: @escaping @Sendable (inout CommandContext) throws -> Result<Value, TillError>
    ) async throws(TillError) -> Value {
        try await commits.submit(isOwn: isOwn, about: transaction, command)
    }

    func read<Value: Sendable>(
        _ work: @escaping @Sendable (any LedgerReader) throws -> Value
    ) async throws(TillError) -> Value {
        try await explained { try await ledger.read(work) }
    }

    /// The daemons that share the ledger; none if it is not shared.
    func hosts(limit: Int) async throws(TillError) -> [LedgerHost] {
        try await explained { try await ledger.hosts(limit: limit) }
    }

    private func explained<Value: Sendable>(_ read: () async throws -> Value) async throws(TillError) -> Value {
        do {
            return try await read()
        } catch let error as TillError {
            throw error
        } catch is CancellationError {
            throw TillError(.cancelled, "The call was cancelled.")
        } catch {
            throw TillError(.unavailable, "The ledger could not be read; try again later.", cause: error)
        }
    }

    /// Does a job of the engine's own. A row that cannot be read is logged and left; other errors stop the engine.
    ///
    /// - Returns: What the job returns; nil if a row could not be read.
    @discardableResult
    func perform<Value: Sendable>(_ job: () async throws(TillError) -> Value) async throws(TillError) -> Value? {
        do {
            return try await job()
        } catch  where error.code == .dataLoss {
            logUnreadable(error)
            return nil
        }
    }

    /// Logs a row that is left as it is.
    func logUnreadable(_ error: TillError) {
        logger.error("A row of the ledger cannot be read", metadata: ["error": "\(error)"])
    }
}
