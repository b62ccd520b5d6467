import TillEngine
import TillModel
import TillSQL

#if MUTANTS
    import Mutants
#endif

/// The session of a ledger's commits. When it is lost, another one takes its place, and finds out whether the commit that was
/// under way happened. The session holds the ledger's lock, so that no other daemon commits in the meantime.
// Sendable: the ledger's thread alone uses it.
final class CommitSession: @unchecked Sendable {
    /// How often a commit is attempted whose sessions are lost one after the other: it may be what ends them.
    private static let attemptsMaximum = 3

    private let schema: String
    private let use: LedgerUse
    private let patience: Duration
    private let connect: @Sendable () throws -> PostgresConnection
    private(set) var connection: PostgresConnection
    /// How far the ledger is with this daemon's last durable commit.
    private var progress: LedgerProgress
    /// How many commits the ledger had after this session's last one; nil before the first.
    private var total: Int64?
    private let durable: DurableCommits
    /// The accounts whose agents other hosts are to know of, from the next commit on.
    var agents: Set<String> = []
    /// Those for which this session has locks.
    private var announcedAgents: Set<String> = []

    /// Opens a session, and creates the ledger if the database has none.
    ///
    /// - Parameters:
    ///   - schema: The schema that has the ledger's tables.
    ///   - use: Whether daemons of other hosts use the ledger, too.
    ///   - patience: For how long a lost session is replaced.
    ///   - durable: Is told of the commits of a ledger that hosts share.
    ///   - connect: Makes a connection; it may block.
    init(
        schema: String,
        use: LedgerUse,
        patience: Duration,
        durable: DurableCommits,
        connect: @escaping @Sendable () throws -> PostgresConnection
    ) throws {
        self.schema = schema
        self.use = use
        self.patience = patience
        self.durable = durable
        self.connect = connect
        connection = try Self.open(schema, use, connect)
        try connection.checkStandby()
        if use != .alone {
            try connection.checkClock()
        }
        try PostgresSchema.createIfMissing(schema, connection)
        progress = try connection.openLedger(for: use)
    }

    /// Opens a session that may commit.
    private static func open(_ schema: String, _ use: LedgerUse, _ connect: () throws -> PostgresConnection) throws
        -> PostgresConnection
    {
        let connection = try connect()
        try connection.checkServer()
        try connection.lockLedger(schema, for: use)
        try connection.preferIndexes()
        if use != .alone {
            try connection.limitPauses()
        }
        return connection
    }

    /// Runs `body` in a transaction, and commits that. `body` runs again if the session was lost before the commit happened.
    ///
    /// - Parameter body: Is told whether nothing was committed since this session's last commit.
    /// - Throws: The error of `body` or of a statement, after which nothing has changed; ``PostgresSessionFailure``, after
    ///   which the outcome is unknown.
    func commit<Value>(_ body: (PostgresConnection, _ isUnchanged: Bool) throws -> Value) throws -> Value {
        var attempts = 0
        var executed: Executed<Value>?
        while true {
            do {
                let result = try executed ?? transact(body) { executed = $0 }
                if let total = result.total {
                    try flush(total)
                    self.total = total
                }
                progress.commits += 1
                return result.value
            } catch let lost as PostgresConnectionLost {
                attempts += 1
                guard attempts < Self.attemptsMaximum else {
                    throw PostgresSessionFailure.lost(lost.reason)
                }
                if try !reconnect(after: lost) {
                    executed = nil
                }
            } catch let error as TillError where PostgresConnection.isFenced(error) {
                throw PostgresSessionFailure.taken
            }
        }
    }

    /// What a transaction gives once it is committed.
    private struct Executed<Value> {
        var value: Value
        /// How many commits the ledger has with this one; nil if this session is the only one that commits.
        var total: Int64?
    }

    /// Runs `body` in a transaction, and commits that: durably, if this session is the only one that commits.
    ///
    /// - Parameter willCommit: Is told the result before the commit, whose outcome may stay unknown.
    private func transact<Value>(
        _ body: (PostgresConnection, _ isUnchanged: Bool) throws -> Value,
        willCommit: (Executed<Value>) -> Void
    ) throws -> Executed<Value> {
        if agents != announcedAgents {
            try announceAgents()
        }
        return try connection.inTransaction("BEGIN") {
            #if MUTANTS
                if Mutant.lockAfterRead.isPlanted {
                    let value = try body(connection, false)
                    return Executed(value: value, total: try takeTurn())
                }
            #endif
            let total = try takeTurn()
            let value = try body(connection, total == nil || total == self.total.map { $0 + 1 })
            if use == .alone {
                try connection.countCommit(progress.fence)
            }
            let executed = Executed(value: value, total: total)
            willCommit(executed)
            return executed
        }
    }

    private func announceAgents() throws {
        for account in agents.subtracting(announcedAgents).sorted() {
            try changeAgentLock("pg_advisory_lock_shared", account)
        }
        for account in announcedAgents.subtracting(agents).sorted() {
            try changeAgentLock("pg_advisory_unlock_shared", account)
        }
        announcedAgents = agents
    }

    /// No commit fails because the server has no memory for another lock: the other hosts do not know of the agent then.
    private func changeAgentLock(_ function: String, _ account: String) throws {
        do {
            try connection.changeAgentLock(function, account)
        } catch is TillError {}
    }

    private func flush(_ commit: Int64) throws {
        #if MUTANTS
            if Mutant.answerBeforeFlush.isPlanted {
                return
            }
        #endif
        try durable.flush(commit, madeBy: use.host?.name, on: connection)
    }

    /// Waits until no other host executes a commit. What a commit reads stays true until its end, and the order of commits is
    /// that of their numbers. The next turn begins before this commit is flushed, so that hosts flush together.
    ///
    /// - Returns: How many commits the ledger has with this one; nil if this session is the only one that commits.
    private func takeTurn() throws -> Int64? {
        guard let host = use.host else {
            return nil
        }
        try connection.endTurnBeforeFlush()
        try connection.countCommit(progress.fence, of: host.name)
        return try connection.countTurn()
    }

    func close() {
        connection.close()
    }

    /// Replaces the session; returns whether the commit happened that was under way.
    private func reconnect(after lost: PostgresConnectionLost) throws -> Bool {
        // What is left of it would keep the ledger's lock.
        connection.close()
        let patience = Patience(self.patience)
        var reason = lost.reason
        repeat {
            do {
                let (next, found) = try openAgain()
                let hasHappened = try progress.hasAdvanced(to: found)
                connection = next
                announcedAgents = []
                total = nil
                return hasHappened
            } catch let failure as PostgresSessionFailure {
                throw failure
            } catch let lost as PostgresConnectionLost {
                reason = lost.reason
            } catch {
                reason = (error as? TillError)?.message ?? "\(error)"
            }
            // Blocks this thread, which exists for that.
        } while patience.pause()
        throw PostgresSessionFailure.lost(reason)
    }

    private func openAgain() throws -> (PostgresConnection, LedgerProgress) {
        let next = try Self.open(schema, use, connect)
        // A program that changes the tables or moves the ledger takes the lock without opening the ledger.
        if let mark = try PostgresSchema.checkedMark(next) {
            throw mark.refusal(of: "The ledger in PostgreSQL's schema \(schema)")
        }
        return (next, try next.progress(for: use))
    }
}

/// How often a ledger was opened and how much was committed to it, by which a new session recognises what it finds. A host of
/// several has counts of its own.
struct LedgerProgress: Equatable {
    /// Counts the openings. A daemon that opens the ledger ends the right of every other to commit, and a host that of the
    /// daemon which had its name.
    var fence: Int64
    var commits: Int64
    /// The openings of daemons that use the ledger alone, by which a host notices them.
    var loneOpenings: Int64 = 0

    /// Whether the ledger has the commit after these, which was under way.
    ///
    /// - Throws: ``PostgresSessionFailure`` for a ledger that another daemon has opened or that lacks commits.
    func hasAdvanced(to found: LedgerProgress) throws(PostgresSessionFailure) -> Bool {
        guard found.fence <= fence, found.loneOpenings <= loneOpenings else {
            throw .taken
        }
        guard found.fence == fence, found.commits >= commits else {
            throw .wentBack
        }
        guard found.commits <= commits + 1 else {
            throw .taken
        }
        #if MUTANTS
            if Mutant.lostCommitRepeated.isPlanted {
                return false
            }
        #endif
        return found.commits == commits + 1
    }
}

/// Why a ledger takes no more commits.
enum PostgresSessionFailure: Error, Equatable, CustomStringConvertible {
    case lost(String)
    case taken
    case wentBack

    var description: String {
        switch self {
        case .lost(let reason):
            "The connection to PostgreSQL is lost: \(reason)"
        case .taken:
            """
            Another daemon has opened the ledger in PostgreSQL. Let only one use it, or start each with a --host of its own.
            """
        case .wentBack:
            """
            The ledger in PostgreSQL lacks commits that it had confirmed. Let the daemon use a server that has them before \
            it starts again.
            """
        }
    }
}

extension PostgresConnection {
    private static let countingCommit =
        "UPDATE meta SET commits = CASE fence WHEN ?1 THEN commits + 1 END WHERE single = 1"
    /// PostgreSQL's code for a column that must not be null.
    private static let notNullViolation = "23502"

    private static let countingHostCommit =
        "UPDATE hosts SET commits = CASE fence WHEN ?1 THEN commits + 1 END WHERE name = ?2"

    /// Counts the opening of the ledger. A daemon that used it alone and has lost its session may not commit any more.
    fileprivate func openLedger(for use: LedgerUse) throws -> LedgerProgress {
        try inTransaction("BEGIN") {
            switch use {
            case .alone:
                try execute("UPDATE meta SET fence = fence + 1, lone_openings = lone_openings + 1")
            case .host(let identity):
                try execute("UPDATE meta SET fence = fence + 1")
                try openHost(identity)
            }
            return try progress(for: use)
        }
    }

    fileprivate func progress(for use: LedgerUse) throws -> LedgerProgress {
        var found: LedgerProgress?
        let keep = { (row: any SQLRow) in
            found = LedgerProgress(
                fence: row.integer(ofColumn: 0),
                commits: row.integer(ofColumn: 1),
                loneOpenings: row.integer(ofColumn: 2)
            )
        }
        switch use {
        case .alone:
            try run("SELECT fence, commits, 0::bigint FROM meta", [], keep)
        case .host(let identity):
            let sql = "SELECT h.fence, h.commits, m.lone_openings FROM hosts h, meta m WHERE h.name = ?1"
            try run(sql, [SQLValue(identity.name)], keep)
        }
        guard let found else {
            throw Self.withoutIdentity
        }
        return found
    }

    private static let withoutIdentity = TillError(
        .dataLoss,
        "The ledger has lost its identity. Restore it from a backup."
    )

    /// Counts a commit. It fails if another daemon has opened the ledger: the count would be null.
    fileprivate func countCommit(_ fence: Int64) throws {
        #if MUTANTS
            if Mutant.commitsUnfenced.isPlanted {
                return try enqueue("UPDATE meta SET commits = commits + 1 WHERE single = 1")
            }
        #endif
        try enqueue(Self.countingCommit, PostgresParameters([.integer(fence)]))
    }

    /// Counts a commit of a host. It fails if another daemon has opened the ledger under the host's name.
    fileprivate func countCommit(_ fence: Int64, of host: String) throws {
        try enqueue(Self.countingHostCommit, PostgresParameters([.integer(fence), SQLValue(host)]))
    }

    /// Has the transaction's locks released as soon as it is committed, before that is durable
    /// (https://www.postgresql.org/docs/15/wal-async-commit.html): ``DurableCommits/flush(_:on:)`` has to follow.
    fileprivate func endTurnBeforeFlush() throws {
        try enqueue("SET LOCAL synchronous_commit TO off")
    }

    /// Waits for the commits of other hosts that are under way, and returns how many commits the ledger has with this one.
    fileprivate func countTurn() throws -> Int64 {
        try total("UPDATE meta SET commits = commits + 1 WHERE single = 1 RETURNING commits", [])
    }

    /// What daemons other than the host's have committed. The revisions are at least those of the commits that are counted.
    func news(ofQueues queues: [Int64], after commits: Int64?, besides host: String) throws -> LedgerNews? {
        let sql = "SELECT m.commits - h.commits FROM meta m, hosts h WHERE h.name = ?1"
        var news = LedgerNews(commits: try total(sql, [SQLValue(host)]), revisions: [:])
        guard news.commits != commits else {
            return nil
        }
        if !queues.isEmpty {
            let sql = "SELECT key, revision FROM queues WHERE key = ANY(CAST(string_to_array(?1, ',') AS bigint[]))"
            try run(sql, [SQLValue(queues.map(String.init).joined(separator: ","))]) { row in
                news.revisions[row.integer(ofColumn: 0)] = UInt64(exactly: row.integer(ofColumn: 1))
            }
        }
        return news
    }

    private func total(_ sql: String, _ values: [SQLValue]) throws -> Int64 {
        var total: Int64?
        try run(sql, values) { total = $0.integer(ofColumn: 0) }
        guard let total else {
            throw Self.withoutIdentity
        }
        return total
    }

    fileprivate static func isFenced(_ error: TillError) -> Bool {
        let cause = error.cause as? PostgresStatementError
        return cause?.state == notNullViolation && [countingCommit, countingHostCommit].contains(cause?.sql)
    }
}
