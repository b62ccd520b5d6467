import GRDB
import GRDBSQLite
import Logging
import NIOConcurrencyHelpers
import TillEngine
import TillModel

/// Moves the write-ahead log into the file, on a connection of its own, so that no commit waits for it.
final class Checkpointer: Sendable {
    /// How long restarting or truncating the log waits for its readers, while commits wait, before it is postponed.
    static let endTimeout = 0.1

    private let file: LedgerFile
    let queue: DatabaseQueue
    private let policy: CheckpointPolicy
    private let time: any TimeSource
    private let logger: Logger
    private let state = NIOLockedValueBox(State())

    private struct State {
        var pages = 0
        var isFillable = true
        var wake: AsyncStream<Void>.Continuation?
    }

    init(file: LedgerFile, policy: CheckpointPolicy, time: any TimeSource, logger: Logger) throws {
        var configuration = file.configuration(readonly: false)
        configuration.label = "till.ledger.checkpoint"
        configuration.busyMode = .timeout(Self.endTimeout)
        self.file = file
        self.queue = try DatabaseQueue(path: file.path, configuration: configuration)
        self.policy = policy
        self.time = time
        self.logger = logger
    }

    /// Counts the pages that a commit wrote, and wakes ``run()`` when there are enough of them.
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
        // The log may hold commits of an earlier process, or from before this runs.
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
            // Not a child task beside the clock: only the first error of the two would be reported.
            for await _ in wakes {
                do {
                    try await self.checkpoint()
                } catch  where Task.isCancelled && error.isCancellation {
                    return
                }
            }
        }
    }

    /// Fills the log, moves it into the file, and restarts or truncates it when it has grown too long.
    func checkpoint() async throws {
        try await fillLog()
        let held = try await attempt(.passive)
        if let ending = policy.ending(ofLogWith: held) {
            _ = try await attempt(ending)
        }
    }

    /// Moves and truncates the log as far as readers allow, and closes the connection.
    func close() async throws {
        // A cancellation of ``run()`` just after an access interrupts nothing, but SQLite would then interrupt this
        // checkpoint. A statement ends that (https://www.sqlite.org/c3ref/interrupt.html).
        try await queue.writeWithoutTransaction { try $0.execute(sql: "SELECT 1") }
        _ = try await attempt(.truncate)
        try queue.close()
    }

    /// Fills the log with zeros if it is smaller than it should be, as after a start. Moving the log then flushes them, so
    /// that commits wait only for the writes. The ledger continues without them on a full disk.
    private func fillLog() async throws {
        let bytes = policy.logBytesMinimum
        guard file.logBytes < bytes, state.withLockedValue(\.isFillable) else {
            return
        }
        do {
            try await queue.writeWithoutTransaction { [file] database in
                try database.inTransaction(.immediate) {
                    try file.fillLog(toBytes: bytes)
                    return .commit
                }
            }
            logger.trace("log filled", metadata: ["log.bytes": "\(bytes)"])
        } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
            logger.debug("log is in use and will be filled later")
        } catch let error as TillError {
            state.withLockedValue { $0.isFillable = false }
            logger.debug("log is not filled", metadata: ["error": "\(error)"])
        }
    }

    /// Moves the log, unless it is in use; returns how many pages it holds then.
    private func attempt(_ mode: Database.CheckpointMode) async throws -> Int {
        do {
            let (held, moved) = try await queue.writeWithoutTransaction { try $0.checkpoint(mode) }
            logger.trace("log moved", metadata: ["log.pages": "\(held)", "log.moved": "\(moved)"])
            return held
        } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
            logger.debug("log is in use and will be moved later")
            return 0
        }
    }
}

extension Error {
    /// Whether an access to SQLite ended only because its task was cancelled.
    var isCancellation: Bool {
        self is CancellationError || (self as? DatabaseError)?.resultCode == .SQLITE_INTERRUPT
    }
}

/// When the write-ahead log is filled, moved into the file, restarted and truncated. A page is 4 KiB.
package struct CheckpointPolicy: Hashable, Sendable {
    /// Moves the log once this many pages were written since the last time.
    package var pages: Int
    /// Moves the log at least this often.
    package var interval: Duration
    /// Fills the log with zeros up to this size after a start, because a clean stop removes the log, and flushes take
    /// longer while the log grows. A ledger in little use restarts its log before it holds more.
    package var logBytesMinimum: Int
    /// Restarts the log from its beginning once it holds more pages than this; commits wait for that. A flush is faster
    /// while the log does not grow, because the file system has nothing else to write.
    package var logPages: Int
    /// Truncates the log once it holds more pages than this, for example because readers kept it from being restarted.
    package var logPagesMaximum: Int

    package init(
        pages: Int = 2_000,
        interval: Duration = .seconds(5),
        logBytesMinimum: Int = 4 << 20,
        logPages: Int = 4_000,
        logPagesMaximum: Int = 16_000
    ) {
        self.pages = pages
        self.interval = interval
        self.logBytesMinimum = logBytesMinimum
        self.logPages = logPages
        self.logPagesMaximum = logPagesMaximum
    }

    /// How to end a moved log that holds so many pages; nil to leave it.
    func ending(ofLogWith pages: Int) -> Database.CheckpointMode? {
        if pages > logPagesMaximum {
            .truncate
        } else if pages > logPages {
            .restart
        } else {
            nil
        }
    }
}
