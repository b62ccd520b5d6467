package import FoundationEssentials
package import Logging
import NIOConcurrencyHelpers
package import TillEngine
package import TillModel
import TillSQL

#if MUTANTS
    import Mutants
#endif

/// A ledger in a PostgreSQL database, for one daemon or for the daemons of several hosts: the session that commits holds a lock
/// while it lasts.
///
/// The commits of several hosts happen one after the other, as those of one daemon do, so that every rule of one daemon holds
/// for all of them; only their flushes overlap (``DurableCommits``). A host that finds commits of others forgets what it knew of
/// rows.
///
/// Every commit is one transaction, which is confirmed once it is durable. When the session is lost, another one finds out
/// whether the commit under way happened. If the database cannot be reached for a while, or is no longer the same, every later
/// commit is refused.
package final class PostgresLedger: Ledger {
    /// The schema that has the tables, unless another is named.
    package static let defaultSchema = "till"
    package static let defaultPatience = Duration.seconds(30)

    package let id: UUID
    package let timelineID: UUID
    package let numbering: LedgerNumbering
    private let use: LedgerUse
    private let thread = LedgerThread(label: "till.ledger.writer")
    private let session: CommitSession
    private let patience: Duration
    private let connect: @Sendable () throws -> PostgresConnection
    private let readers: ReaderPool
    private let durable = DurableCommits()
    /// The accounts with agents at this host.
    private let agents = NIOLockedValueBox<Set<String>>([])
    /// How many connections the readers had made when news was last read.
    private let newsConnections = NIOLockedValueBox(0)
    /// Nil if no other daemon uses the ledger.
    private let notices: CommitNotices?
    private let memory: LedgerMemory
    private let standing = NIOLockedValueBox(Standing.open)
    private let logger: Logger

    private enum Standing {
        case open
        /// No session could take the place of a lost one, so that only the next start knows what the database holds.
        case failed
        case closed
    }

    /// Opens the ledger, or creates it if the database has none. Blocks while it does.
    ///
    /// - Parameters:
    ///   - address: A connection URI or a list of keywords
    ///     (https://www.postgresql.org/docs/15/libpq-connect.html#LIBPQ-CONNSTRING).
    ///   - schema: The schema for the tables. It is created with them.
    ///   - use: Whether daemons of other hosts use the ledger, too.
    ///   - patience: For how long a commit or a read waits for a server after the session was lost.
    /// - Throws: A `TillError` that says what is wrong, and what to do: `unavailable` without a connection,
    ///   `failedPrecondition` while another daemon uses the ledger, for a server that may lose what it confirms, for a pooler in
    ///   between, for a newer schema, and for a role that may not make the tables or use them.
    package init(
        address: String,
        schema: String = defaultSchema,
        use: LedgerUse = .alone,
        patience: Duration = defaultPatience,
        logger: Logger
    ) throws {
        let connect = { @Sendable in try PostgresConnection(to: address, schema: schema) }
        session = try CommitSession(schema: schema, use: use, patience: patience, durable: durable, connect: connect)
        self.use = use
        self.patience = patience
        self.connect = connect
        if try session.connection.isSuperuser {
            logger.warning(
                "The daemon's role in PostgreSQL is a superuser: make one for rows alone with tilld ledger init"
            )
        }
        memory = LedgerMemory(
            sharesFinishes: try session.connection.sharesFinishes(),
            host: use.host?.name,
            logger: logger
        )
        let rows = memory.makeReader(on: session.connection)
        id = try session.connection.identity()
        timelineID = try rows.timelineID() ?? id
        numbering = try rows.numbering()
        readers = ReaderPool(patience: patience, connect: connect)
        notices = use.host.map { [readers] host in
            CommitNotices(schema: schema, host: host.name, readers: readers, connect: connect)
        }
        self.logger = logger
    }

    package var commitExecutor: (any CommitExecutor)? {
        thread
    }

    /// Runs `work` in one transaction, to its end even if the calling task is cancelled.
    ///
    /// `work` runs again if the session was lost before the commit happened.
    package func commit<Value: Sendable>(_ work: @escaping @Sendable (any LedgerWriter) throws -> Value) async throws
        -> Value
    {
        let (value, queues) = try await withTaskExecutorPreference(thread) {
            // Blocks this thread, which exists for that.
            try self.inTransaction(work)
        }
        notices?.announce(queues)
        return value
    }

    package func read<Value: Sendable>(_ work: @escaping @Sendable (any LedgerReader) throws -> Value) async throws
        -> Value
    {
        try await read(on: { try self.reading(on: $0, work) })
    }

    package func hosts(limit: Int) async throws -> [LedgerHost] {
        guard let host else {
            return []
        }
        return try await read(on: { try $0.hosts(answering: host, limit: limit) })
    }

    package var host: String? {
        use.host?.name
    }

    /// The simulated provider's record in the same database.
    package func makeSimulatedStore() -> PostgresSimulatedStore {
        PostgresSimulatedStore(patience: patience, connect: connect)
    }

    /// Whether hosts that shared the ledger have recorded charges of the simulated provider in the database.
    package func hasSimulatedRecord() async throws -> Bool {
        try await read(on: { try !$0.simulatedEntries.isEmpty() })
    }

    /// The others know of the first ``SharedAgents/accountsMaximum`` accounts.
    package func announceAgents(of accounts: Set<String>) async throws {
        agents.withLockedValue { $0 = Set(accounts.sorted().prefix(SharedAgents.accountsMaximum)) }
        try await commit { _ in }
    }

    /// Calls `look` after each notice of another host that concerns this one; also regularly, seldom if notices arrive.
    package func followOthers(
        if isConcerned: @escaping @Sendable (_ queues: [Int64]?) -> Bool,
        _ look: () async -> Void
    ) async {
        guard let notices else {
            return
        }
        let (looks, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        await withDiscardingTaskGroup { group in
            group.addTask { await notices.run(if: isConcerned) { continuation.yield() } }
            group.addTask {
                while !Task.isCancelled {
                    continuation.yield()
                    try? await Task.sleep(for: notices.areArriving ? Self.seldom : Self.often)
                }
            }
            group.addTask { await self.watchClock() }
            for await _ in looks {
                await look()
            }
            group.cancelAll()
        }
    }

    /// Between two looks while notices arrive.
    private static let seldom = Duration.milliseconds(500)
    /// Between two looks while none arrive: a change reaches the observers of another host after half of it, on average.
    private static let often = Duration.milliseconds(20)

    /// Warns when this host's clock begins to differ from the database's, by which the other hosts' clocks are checked, too.
    private func watchClock() async {
        var differs = false
        while (try? await Task.sleep(for: Self.clockChecks)) != nil {
            guard let difference = try? await read(on: { try $0.clockDifference() }) else {
                continue
            }
            let metadata: Logger.Metadata = ["clock.difference": "\(Int(difference.rounded())) s"]
            switch (differs, abs(difference) > PostgresConnection.clockDifferenceMaximum) {
            case (false, true):
                logger.warning("This host's clock differs from PostgreSQL's: set it", metadata: metadata)
            case (true, false):
                logger.notice("This host's clock agrees with PostgreSQL's again", metadata: metadata)
            default: continue
            }
            differs.toggle()
        }
    }

    private static let clockChecks = Duration.seconds(10)

    package func news(ofQueues queues: [Int64], after commits: Int64?) async throws -> LedgerNews? {
        guard let host else {
            return nil
        }
        return try await read { [readers, newsConnections] connection in
            // A server that failed may have lost commits that others could read, and their numbers are then given again.
            let count = readers.connectionCount
            let isSameServer = newsConnections.withLockedValue { known in
                defer { known = count }
                return known == count
            }
            return try connection.news(ofQueues: queues, after: isSameServer ? commits : nil, besides: host)
        }
    }

    /// Ends the sessions. Later commits and reads are refused.
    package func close() async {
        await withTaskExecutorPreference(thread) {
            self.standing.withLockedValue { $0 = .closed }
            self.session.close()
        }
        readers.close()
    }
}

extension PostgresLedger {
    /// The server's process that serves the commits.
    var serverProcess: Int64 {
        session.connection.serverProcess
    }

    private static let closedError = TillError(.failedPrecondition, "The ledger is closed.")

    private func read<Value: Sendable>(on body: @escaping @Sendable (PostgresConnection) throws -> Value) async throws
        -> Value
    {
        guard standing.withLockedValue({ $0 }) != .closed else {
            throw Self.closedError
        }
        do {
            return try await readers.read(body)
        } catch let error as PostgresConnectionLost {
            throw TillError(.unavailable, error.description, cause: error)
        }
    }

    private func requireWritable() throws {
        switch standing.withLockedValue({ $0 }) {
        case .open: return
        case .failed:
            throw TillError(.unavailable, "The ledger failed earlier, and takes no commits until it is opened again.")
        case .closed: throw Self.closedError
        }
    }

    /// - Returns: What `work` returns, and the keys of the queues that it has changed; nil if it has changed settings.
    private func inTransaction<Value>(_ work: (any LedgerWriter) throws -> Value) throws -> (Value, Set<Int64>?) {
        try requireWritable()
        session.agents = agents.withLockedValue { $0 }
        do {
            let (transaction, value) = try session.commit { connection, isUnchanged in
                if !isUnchanged {
                    memory.forget()
                }
                let transaction = memory.makeWriter(on: connection)
                let value = try work(transaction)
                try transaction.finish()
                return (transaction, value)
            }
            let queues = transaction.changesOperatorSettings ? nil : transaction.changedQueues
            memory.keepCommitted(transaction)
            return (value, queues)
        } catch let error as PostgresSessionFailure {
            standing.withLockedValue { $0 = .failed }
            readers.giveUp()
            logger.critical("The ledger failed", metadata: ["error": "\(error)"])
            throw error
        }
    }

    private func reading<Value>(on connection: PostgresConnection, _ work: (any LedgerReader) throws -> Value) throws
        -> Value
    {
        let transaction = memory.makeReader(on: connection)
        // Before the read: one that is durable now is not a lost one whose number another has.
        let durableCount = durable.count
        var seen = SeenCommits()
        let value = try connection.inTransaction("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY") {
            let value = try work(transaction)
            if isShared {
                try connection.readSeenCommitsLater { seen = $0 }
            }
            return value
        }
        if seen.count > max(durableCount, seen.flushed) {
            try flush(seen.count, on: connection)
        }
        memory.keepRead(transaction)
        return value
    }

    private func flush(_ commits: Int64, on connection: PostgresConnection) throws {
        #if MUTANTS
            if Mutant.readBeforeFlush.isPlanted {
                return
            }
        #endif
        try durable.flush(commits, on: connection)
    }
}
