package import FoundationEssentials
import GRDB
package import Logging
import NIOConcurrencyHelpers
package import TillEngine
import TillModel
import TillSQL

#if MUTANTS
    import Mutants
#endif

/// A ledger in one SQLite file, for one daemon; or in memory: see ``inMemory()``.
///
/// Every commit is one transaction and one flush of the write-ahead log; ``run()`` moves the log into the file, off the
/// commits' path. A ledger that was not closed, or that a commit failed on, is checked when it is opened next.
package final class SQLiteLedger: Ledger {
    package let id: UUID
    package let timelineID: UUID
    package let numbering: LedgerNumbering
    let connections: LedgerConnections
    /// Nil for a ledger in memory, and for one that is open for reading only.
    let checkpointer: Checkpointer?
    private let logger: Logger?
    private let writer = LedgerThread(label: "till.ledger.writer")
    let memory: LedgerMemory
    private let standing = NIOLockedValueBox(Standing.open)

    private enum Standing {
        case open
        /// A read met a damaged page. The next opening checks all of the file.
        case damaged
        /// A commit or a checkpoint failed, so that only the next opening knows what the file holds.
        case failed
        case closed
    }

    /// Opens the ledger at `path`, or creates it if there is no such file. Blocks while the file is checked.
    ///
    /// - Throws: A `TillError` that says what is wrong with the file, and what to do.
    package convenience init(
        path: String,
        checkpoints: CheckpointPolicy = CheckpointPolicy(),
        time: any TimeSource = SystemTime(),
        logger: Logger
    ) throws {
        let file = LedgerFile(path: path)
        let id = try file.createIfMissing()
        let pool = try file.openForWriting()
        let checkpointer = try Checkpointer(file: file, policy: checkpoints, time: time, logger: logger)
        // A reader that is open when the writer closes would keep the log's file.
        let (numbering, timelineID) = try file.explained {
            try pool.writeWithoutTransaction {
                (try SQLTransaction(database: $0).numbering(), try SQLTransaction(database: $0).timelineID())
            }
        }
        self.init(
            id: id,
            timelineID: timelineID,
            numbering: numbering,
            connections: .file(pool),
            checkpointer: checkpointer,
            logger: logger
        )
    }

    /// Opens the ledger of a stopped daemon for reading: commits are refused.
    package static func openReadOnly(path: String) throws -> SQLiteLedger {
        let file = LedgerFile(path: path)
        let id = try file.inspect()
        let pool = try file.openForReading()
        let (numbering, timelineID) = try file.explained {
            try pool.read {
                (try SQLTransaction(database: $0).numbering(), try SQLTransaction(database: $0).timelineID())
            }
        }
        return SQLiteLedger(id: id, timelineID: timelineID, numbering: numbering, connections: .file(pool))
    }

    init(
        id: UUID,
        timelineID: UUID? = nil,
        numbering: LedgerNumbering,
        connections: LedgerConnections,
        highestKey: HighestKey = HighestKey(),
        checkpointer: Checkpointer? = nil,
        logger: Logger? = nil
    ) {
        self.id = id
        self.timelineID = timelineID ?? id
        self.numbering = numbering
        self.connections = connections
        memory = LedgerMemory(highestKey: highestKey, logger: logger)
        self.checkpointer = checkpointer
        self.logger = logger
    }

    package var commitExecutor: (any CommitExecutor)? {
        writer
    }

    /// Runs `work` in one transaction, to its end even if the calling task is cancelled.
    ///
    /// After an error of SQLite's own, whose outcome is unknown, every later commit is refused.
    package func commit<Value: Sendable>(_ work: @escaping @Sendable (any LedgerWriter) throws -> Value) async throws
        -> Value
    {
        try await onWriter { ledger, database in
            try ledger.requireWritable()
            let value = try ledger.inTransaction(database, work)
            ledger.checkpointer?.noteCommit(on: database)
            return value
        }
    }

    package func read<Value: Sendable>(_ work: @escaping @Sendable (any LedgerReader) throws -> Value) async throws
        -> Value
    {
        guard standing.withLockedValue({ $0 }) != .closed else {
            throw Self.closedError
        }
        return try await connections.read { database in
            let transaction = self.memory.makeReader(on: SQLiteConnection(database))
            defer { self.memory.keepRead(transaction) }
            do {
                return try work(transaction)
            } catch let error as DatabaseError {
                throw self.explained(error, on: database)
            }
        }
    }

    /// Moves the log into the file while the ledger is in use. Returns when its task is cancelled.
    package func run() async throws {
        do {
            try await checkpointer?.run()
        } catch {
            standing.withLockedValue { $0 = .failed }
            throw error
        }
    }

    /// Marks the ledger as stopped cleanly, unless it failed, and closes the file. Later commits and reads are refused.
    package func close() async throws {
        let isFirst = try await onWriter { ledger, database in
            let standing = ledger.standing.withLockedValue { standing in
                defer { standing = .closed }
                return standing
            }
            if standing == .open && ledger.checkpointer != nil {
                try database.execute(sql: "UPDATE meta SET clean = 1")
            }
            return standing != .closed
        }
        if isFirst {
            try await checkpointer?.close()
            try connections.writer.close()
        }
    }
}

extension SQLiteLedger {
    private static let closedError = TillError(.failedPrecondition, "The ledger is closed.")

    private func requireWritable() throws {
        switch standing.withLockedValue({ $0 }) {
        case .open where connections.writer.configuration.readonly:
            throw TillError(.failedPrecondition, "The ledger is open for reading only.")
        case .open, .damaged:
            return
        case .failed:
            throw TillError(.unavailable, "The ledger failed earlier, and takes no commits until it is opened again.")
        case .closed:
            throw Self.closedError
        }
    }

    /// The error of a read, explained if it met damage, which is logged the first time.
    private func explained(_ error: DatabaseError, on database: Database) -> any Error {
        guard let damage = database.damage(error) else {
            return error
        }
        let isFirst = standing.withLockedValue { standing in
            defer { standing = standing == .open ? .damaged : standing }
            return standing == .open
        }
        if isFirst {
            logger?.critical("The ledger is damaged", metadata: ["error": "\(damage)"])
        }
        return TillError(.dataLoss, "\(damage). Restore the ledger from a backup.", cause: error)
    }

    private func inTransaction<Value>(_ database: Database, _ work: (any LedgerWriter) throws -> Value) throws -> Value
    {
        var value: Value?
        let transaction = memory.makeWriter(on: SQLiteConnection(database))
        do {
            try database.inTransaction(.immediate) {
                value = try work(transaction)
                try transaction.finish()
                return .commit
            }
        } catch let error as DatabaseError {
            #if MUTANTS
                if Mutant.continueAfterSyncError.isPlanted {
                    throw TillError(.unavailable, "The ledger could not be written.")
                }
            #endif
            standing.withLockedValue { $0 = .failed }
            if let damage = database.damage(error) {
                logger?.critical("The ledger is damaged", metadata: ["error": "\(damage)"])
            }
            throw error
        }
        memory.keepCommitted(transaction)
        guard let value else {
            throw TillError(.internal, "A transaction ended without its work.")
        }
        return value
    }

    /// Runs `body` on the writer's connection to its end, even if the calling task is cancelled.
    private func onWriter<Value: Sendable>(
        _ body: @escaping @Sendable (SQLiteLedger, Database) throws -> Value
    ) async throws -> Value {
        try await withTaskExecutorPreference(writer) {
            // Blocks this thread, which exists for that.
            try connections.writer.writeWithoutTransaction { try body(self, $0) }
        }
    }
}

/// The connections to a ledger's rows.
enum LedgerConnections: Sendable {
    /// One that writes, and several that read.
    case file(DatabasePool)
    /// The only one to a database in memory.
    case memory(DatabaseQueue)

    var writer: any DatabaseWriter {
        switch self {
        case .file(let pool): pool
        case .memory(let queue): queue
        }
    }

    /// Runs `body` on one state of all rows.
    func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        switch self {
        case .file(let pool):
            try await pool.read(body)
        case .memory(let queue):
            // No commit runs at the same time. `read` would set and reset the pragma `query_only`, after which SQLite has to
            // prepare all statements again.
            try await queue.unsafeRead(body)
        }
    }
}
