import Foundation
import ServiceLifecycle
import TillEngine
import TillModel

/// The watched files: those that make the daemon's answers durable, and the socket.
struct FileWatch: Sendable {
    /// How long an idle daemon continues to serve after one of its files is gone.
    static let interval = Duration.seconds(1)

    /// The files that every commit needs. They are checked before it is answered.
    let durable: [WatchedFile]
    /// The socket to which clients connect.
    let socket: WatchedFile

    func checkDurable() throws(WatchedFile.Gone) {
        for file in durable {
            try file.check()
        }
    }

    /// Runs work on the ledger. If the work fails after a file was removed, the error is the one that names the file.
    func explain<Value: Sendable>(_ work: () async throws -> Value) async throws -> Value {
        do {
            return try await work()
        } catch {
            try checkDurable()
            throw error
        }
    }

    /// Ends the watch over the files that commits need.
    func release() {
        durable.forEach { $0.release() }
    }

    func checkAll() throws(WatchedFile.Gone) {
        try checkDurable()
        try socket.check()
    }
}

/// Stops the daemon when one of its files is gone.
struct FileWatchService: DaemonService {
    let watch: FileWatch
    let time: any TimeSource

    func run() async throws {
        try await cancelWhenGracefulShutdown {
            while (try? await time.sleep(for: FileWatch.interval)) != nil {
                try watch.checkAll()
            }
        }
    }
}

/// A ledger whose commits succeed only while the next start would find them.
struct WatchedLedger: Ledger {
    let ledger: any Ledger
    let watch: FileWatch

    var id: UUID {
        ledger.id
    }

    var timelineID: UUID {
        ledger.timelineID
    }

    var numbering: LedgerNumbering {
        ledger.numbering
    }

    var commitExecutor: (any CommitExecutor)? {
        ledger.commitExecutor
    }

    var host: String? {
        ledger.host
    }

    func followOthers(
        if isConcerned: @escaping @Sendable (_ queues: [Int64]?) -> Bool,
        _ look: () async -> Void
    ) async {
        await ledger.followOthers(if: isConcerned, look)
    }

    func news(ofQueues queues: [Int64], after commits: Int64?) async throws -> LedgerNews? {
        try await ledger.news(ofQueues: queues, after: commits)
    }

    func announceAgents(of accounts: Set<String>) async throws {
        try await ledger.announceAgents(of: accounts)
    }

    func hosts(limit: Int) async throws -> [LedgerHost] {
        try await ledger.hosts(limit: limit)
    }

    func commit<Value: Sendable>(_ work: @escaping @Sendable (any LedgerWriter) throws -> Value) async throws -> Value {
        let value = try await watch.explain { try await ledger.commit(work) }
        try watch.checkDurable()
        return value
    }

    func read<Value: Sendable>(_ work: @escaping @Sendable (any LedgerReader) throws -> Value) async throws -> Value {
        try await watch.explain { try await ledger.read(work) }
    }
}
