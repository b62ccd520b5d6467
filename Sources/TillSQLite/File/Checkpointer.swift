import GRDB
import GRDBSQLite
import Logging
import NIOConcurrencyHelpers
import TillEngine

/// Moves the write-ahead log into the file, on a connection of its own, so that no commit waits for it.
final class Checkpointer: Sendable {
    /// How long the end of a log waits for its readers, with commits waiting behind it, before it is put off.
    static let endTimeout = 0.1

    private let queue: DatabaseQueue
    private let policy: CheckpointPolicy
    private let time: any TimeSource
    private let logger: Logger
    private let state = NIOLockedValueBox(State())

    private struct State {
        var pages = 0
        var wake: AsyncStream<Void>.Continuation?
    }

    init(file: LedgerFile, policy: CheckpointPolicy, time: any TimeSource, logger: Logger) throws {
        var configuration = file.configuration(readonly: false)
        configuration.label = "till.ledger.checkpoint"
        configuration.busyMode = .timeout(Self.endTimeout)
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
        state.withLockedValue { state in
            state.pages += Int(written)
            if state.pages >= policy.pages {
                state.pages = 0
                state.wake?.yield()
            }
        }
    }

    func run() async throws {
        let (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        state.withLockedValue { $0.wake = wake }
        // The log may hold what an earlier process left, or what was committed before this runs.
        wake.yield()
        defer { state.withLockedValue { $0.wake = nil } }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { [time, policy] in
                while true {
                    try await time.sleep(for: policy.interval)
                    wake.yield()
                }
            }
            defer { group.cancelAll() }
            // Not beside the clock: the first of both to throw would be all that is heard of.
            for await _ in wakes {
                do {
                    try await self.checkpoint()
                } catch  where Task.isCancelled && error.isCancellation {
                    return
                }
            }
        }
    }

    /// Moves what the log holds, and ends the log when it has grown too long.
    func checkpoint() async throws {
        let held = try await attempt(.passive)
        if let ending = policy.ending(ofLogWith: held) {
            _ = try await attempt(ending)
        }
    }

    /// Moves and cuts all of the log as far as readers let it, and closes the connection.
    func close() async throws {
        _ = try await attempt(.truncate)
        try queue.close()
    }

    /// Moves the log, unless somebody else has hold of it; returns how many pages it holds then.
    private func attempt(_ mode: Database.CheckpointMode) async throws -> Int {
        do {
            let (held, moved) = try await queue.writeWithoutTransaction { try $0.checkpoint(mode) }
            logger.trace("log moved", metadata: ["log.pages": "\(held)", "log.moved": "\(moved)"])
            return held
        } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
            logger.debug("log is in use, to be moved later")
            return 0
        }
    }
}

extension Error {
    /// Whether an access to SQLite ended because its task was cancelled, and for nothing else.
    var isCancellation: Bool {
        self is CancellationError || (self as? DatabaseError)?.resultCode == .SQLITE_INTERRUPT
    }
}
