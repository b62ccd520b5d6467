import GRDB
import GRDBSQLite
import Logging
import Synchronization
import TillEngine

/// Moves the write-ahead log into the file, on a connection of its own, so that no commit waits for it.
final class Checkpointer: Sendable {
    /// How long a cut waits for readers of the old log, with commits waiting behind it, before it is put off.
    static let cutTimeout = 0.1

    private let queue: DatabaseQueue
    private let policy: CheckpointPolicy
    private let time: any TimeSource
    private let logger: Logger
    private let state = Mutex(State())

    private struct State {
        var pages = 0
        var wake: AsyncStream<Void>.Continuation?
    }

    init(file: LedgerFile, policy: CheckpointPolicy, time: any TimeSource, logger: Logger) throws {
        var configuration = file.configuration(readonly: false)
        configuration.label = "till.ledger.checkpoint"
        configuration.busyMode = .timeout(Self.cutTimeout)
        self.queue = try DatabaseQueue(path: file.path, configuration: configuration)
        self.policy = policy
        self.time = time
        self.logger = logger
    }

    /// Counts the pages that a commit wrote, and wakes ``run()`` when they are enough.
    func noteCommit(on database: Database) {
        var written: CInt = 0
        var highest: CInt = 0
        unsafe sqlite3_db_status(database.sqliteConnection, SQLITE_DBSTATUS_CACHE_WRITE, &written, &highest, 1)
        state.withLock { state in
            state.pages += Int(written)
            if state.pages >= policy.pages {
                state.pages = 0
                state.wake?.yield()
            }
        }
    }

    func run() async throws {
        let (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        state.withLock { $0.wake = wake }
        defer { state.withLock { $0.wake = nil } }
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { [time, policy] in
                    while true {
                        try await time.sleep(for: policy.interval)
                        wake.yield()
                    }
                }
                group.addTask {
                    for await _ in wakes {
                        try await self.checkpoint()
                    }
                }
                try await group.waitForAll()
            }
        } catch is CancellationError {
            return
        }
    }

    /// Moves what the log holds, and cuts the log when it has grown too long.
    func checkpoint() async throws {
        let (policy, logger) = (self.policy, self.logger)
        try await queue.writeWithoutTransaction { database in
            let (held, moved) = try database.checkpoint(.passive)
            logger.trace("log moved", metadata: ["log.pages": "\(held)", "log.moved": "\(moved)"])
            guard held > policy.logPagesMaximum else {
                return
            }
            do {
                _ = try database.checkpoint(.truncate)
            } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
                logger.debug("log not cut, because it is being read", metadata: ["log.pages": "\(held)"])
            }
        }
    }

    /// Moves and cuts all of the log as far as readers let it, and closes the connection.
    func close() async throws {
        try await queue.writeWithoutTransaction { database in
            do {
                _ = try database.checkpoint(.truncate)
            } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
                // What a reader holds on to is moved by whoever closes the file last.
            }
        }
        try queue.close()
    }
}
