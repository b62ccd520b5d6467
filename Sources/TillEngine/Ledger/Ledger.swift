package import FoundationEssentials

/// The durable store of queues, transactions, charges, subscriptions, refunds and restores. It is the truth: nothing that
/// lives in the process's memory decides anything.
///
/// Several daemons may share one ledger, so an implementation serialises the writers of a queue.
package protocol Ledger: Sendable {
    /// The ledger's own identity, made when it was created.
    var id: UUID { get }
    /// How the ledger's keys are published; fixed while the ledger is open.
    var numbering: LedgerNumbering { get }

    /// Where commits run: a task that prefers it commits without a change of threads. Nil for no place of its own.
    var commitExecutor: (any CommitExecutor)? { get }

    /// Runs `work` in one transaction and returns once that is durable.
    ///
    /// - Throws: Whatever `work` throws, after which nothing has changed; or the store's error, after which the
    ///   outcome is unknown: a commit that failed may still have happened.
    func commit<Value: Sendable>(_ work: @escaping @Sendable (any LedgerWriter) throws -> Value) async throws -> Value

    /// Runs `work` on one consistent state of everything committed so far.
    func read<Value: Sendable>(_ work: @escaping @Sendable (any LedgerReader) throws -> Value) async throws -> Value
}

extension Ledger {
    package var commitExecutor: (any CommitExecutor)? { nil }
}

/// Reads rows within one transaction of a ledger.
package protocol LedgerReader:
    QueueReader, TransactionReader, ChargeReader, SubscriptionReader, RestoreReader, RefundReader, BookReader,
    DownloadReader
{}

/// Changes rows within one transaction of a ledger.
package protocol LedgerWriter:
    LedgerReader, QueueWriter, TransactionWriter, ChargeWriter, SubscriptionWriter, RestoreWriter, RefundWriter,
    BookWriter, DownloadWriter
{}

/// Where the commits of a ledger run: a thread of their own, which may be held up.
package protocol CommitExecutor: TaskExecutor {
    /// Holds up the thread that calls, which is this executor's, for as short as the system can.
    func pause()
}
