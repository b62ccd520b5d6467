package import FoundationEssentials
package import TillModel

/// The durable store of queues, transactions, charges, subscriptions, refunds and restores. It is the only source of
/// truth: nothing is decided by the process's memory.
///
/// Several daemons may share one ledger. Its implementation lets their commits happen one after the other.
package protocol Ledger: Sendable {
    /// The ledger's own identity, made when it was created.
    var id: UUID { get }
    /// The identity of the timeline that cursors belong to: ``id`` until the ledger is restored from a backup. From then on,
    /// the same revisions stand for other changes.
    var timelineID: UUID { get }
    /// How the ledger's keys are published; fixed while the ledger is open.
    var numbering: LedgerNumbering { get }

    /// The executor that commits run on: a task that prefers it commits without a change of threads. Nil for none of
    /// its own.
    var commitExecutor: (any CommitExecutor)? { get }

    /// This daemon's name among those that share the ledger; nil if it has the ledger alone.
    var host: String? { get }

    /// Calls `look` whenever other daemons may have committed, until its task is cancelled; returns at once if none can.
    ///
    /// - Parameter isConcerned: Whether a look is wanted soon after commits that changed these queues; nil if it is not known
    ///   which. Other looks may come late.
    func followOthers(
        if isConcerned: @escaping @Sendable (_ queues: [Int64]?) -> Bool,
        _ look: () async -> Void
    ) async

    /// What other daemons have committed to a shared ledger.
    ///
    /// - Parameters:
    ///   - queues: The keys of queues whose revisions are wanted.
    ///   - commits: How many commits they had made before; nil if that is not known.
    /// - Returns: Nil if they have committed nothing since.
    func news(ofQueues queues: [Int64], after commits: Int64?) async throws -> LedgerNews?

    /// Tells the other daemons of a shared ledger which accounts have an agent at this one. They know it until the accounts are
    /// others, or this daemon's session ends.
    func announceAgents(of accounts: Set<String>) async throws

    /// The daemons that share the ledger, in the order of their names; none if it is not shared.
    ///
    /// - Parameter limit: How many at most.
    func hosts(limit: Int) async throws -> [LedgerHost]

    /// Runs `work` in one transaction, and returns once that is durable.
    ///
    /// - Throws: The error that `work` throws, after which nothing has changed; or the store's error, after which the
    ///   outcome is unknown: a commit that failed may still have happened.
    func commit<Value: Sendable>(_ work: @escaping @Sendable (any LedgerWriter) throws -> Value) async throws -> Value

    /// Runs `work` on one consistent state of everything committed so far.
    func read<Value: Sendable>(_ work: @escaping @Sendable (any LedgerReader) throws -> Value) async throws -> Value
}

extension Ledger {
    package var timelineID: UUID { id }

    package var commitExecutor: (any CommitExecutor)? { nil }

    package var host: String? { nil }

    /// Whether other daemons commit to the ledger, too.
    package var isShared: Bool { host != nil }

    package func followOthers(
        if isConcerned: @escaping @Sendable (_ queues: [Int64]?) -> Bool,
        _ look: () async -> Void
    ) async {}

    package func news(ofQueues queues: [Int64], after commits: Int64?) async throws -> LedgerNews? { nil }

    package func announceAgents(of accounts: Set<String>) async throws {}

    package func hosts(limit: Int) async throws -> [LedgerHost] { [] }
}

/// What other daemons have committed to a shared ledger.
package struct LedgerNews: Hashable, Sendable {
    /// How many commits they have made.
    package var commits: Int64
    /// The newest revisions of queues, by their keys.
    package var revisions: [Int64: UInt64]

    package init(commits: Int64, revisions: [Int64: UInt64]) {
        self.commits = commits
        self.revisions = revisions
    }
}

/// Reads rows within one transaction of a ledger.
package protocol LedgerReader:
    QueueReader, TransactionReader, ChargeReader, SubscriptionReader, RestoreReader, RefundReader, BookReader,
    DownloadReader, FigureReader
{}

/// Changes rows within one transaction of a ledger.
package protocol LedgerWriter:
    LedgerReader, QueueWriter, TransactionWriter, ChargeWriter, SubscriptionWriter, RestoreWriter, RefundWriter,
    BookWriter, DownloadWriter
{}

/// Runs the commits of a ledger on a thread of their own, which they may block.
package protocol CommitExecutor: TaskExecutor {
    /// Blocks the calling thread, which is this executor's, for the shortest time that the system allows.
    func pause()
}

/// The ledger's row about its timeline.
package enum LedgerTimeline {
    /// The name of the setting that keeps the timeline of a restored ledger.
    package static let settingName = "timeline"
}
