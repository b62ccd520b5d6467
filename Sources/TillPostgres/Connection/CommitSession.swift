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
    private let patience: Duration
    private let connect: @Sendable () throws -> PostgresConnection
    private(set) var connection: PostgresConnection
    /// How far the ledger is, as the last session knew it.
    private var progress: LedgerProgress

    /// Opens a session, and creates the ledger if the database has none.
    ///
    /// - Parameters:
    ///   - schema: The schema that has the ledger's tables.
    ///   - patience: For how long a lost session is replaced.
    ///   - connect: Makes a connection; it may block.
    init(schema: String, patience: Duration, connect: @escaping @Sendable () throws -> PostgresConnection) throws {
        self.schema = schema
        self.patience = patience
        self.connect = connect
        connection = try Self.open(schema, connect)
        try connection.checkStandby()
        try PostgresSchema.createIfMissing(schema, connection)
        progress = try connection.openLedger()
    }

    /// Opens a session that may commit.
    private static func open(_ schema: String, _ connect: () throws -> PostgresConnection) throws -> PostgresConnection
    {
        let connection = try connect()
        try connection.checkServer()
        try connection.lockLedger(schema)
        try connection.preferIndexes()
        return connection
    }

    /// Runs `body` in a transaction, and commits that. `body` runs again if the session was lost before the commit happened.
    ///
    /// - Throws: The error of `body` or of a statement, after which nothing has changed; ``PostgresSessionFailure``, after
    ///   which the outcome is unknown.
    func commit<Value>(_ body: (PostgresConnection) throws -> Value) throws -> Value {
        var attempts = 0
        while true {
            var done: Value?
            do {
                let value = try connection.inTransaction("BEGIN") {
                    let value = try body(connection)
                    try connection.countCommit(progress.fence)
                    done = value
                    return value
                }
                progress.commits += 1
                return value
            } catch let lost as PostgresConnectionLost {
                attempts += 1
                guard attempts < Self.attemptsMaximum else {
                    throw PostgresSessionFailure.lost(lost.reason)
                }
                if try reconnect(after: lost), let done {
                    return done
                }
            } catch let error as TillError where PostgresConnection.isFenced(error) {
                throw PostgresSessionFailure.taken
            }
        }
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
                progress = found
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
        let next = try Self.open(schema, connect)
        // A program that changes the tables or moves the ledger takes the lock without opening the ledger.
        if let mark = try PostgresSchema.checkedMark(next) {
            throw mark.refusal(of: "The ledger in PostgreSQL's schema \(schema)")
        }
        return (next, try next.progress())
    }
}

/// How often a ledger was opened and how much was committed to it, by which a new session recognises what it finds.
struct LedgerProgress: Equatable {
    /// Counts the openings. A daemon that opens the ledger ends the right of every other to commit.
    var fence: Int64
    var commits: Int64

    /// Whether the ledger has the commit after these, which was under way.
    ///
    /// - Throws: ``PostgresSessionFailure`` for a ledger that another daemon has opened or that lacks commits.
    func hasAdvanced(to found: LedgerProgress) throws(PostgresSessionFailure) -> Bool {
        guard found.fence <= fence else {
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
            "Another daemon has opened the ledger in PostgreSQL. Let only one use it."
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

    /// Counts the opening of the ledger.
    fileprivate func openLedger() throws -> LedgerProgress {
        try inTransaction("BEGIN") {
            try execute("UPDATE meta SET fence = fence + 1")
            return try progress()
        }
    }

    fileprivate func progress() throws -> LedgerProgress {
        var found: LedgerProgress?
        try run("SELECT fence, commits FROM meta", []) { row in
            found = LedgerProgress(fence: row.integer(ofColumn: 0), commits: row.integer(ofColumn: 1))
        }
        guard let found else {
            throw TillError(.dataLoss, "The ledger has lost its identity. Restore it from a backup.")
        }
        return found
    }

    /// Counts a commit. It fails if another daemon has opened the ledger: the count would be null.
    fileprivate func countCommit(_ fence: Int64) throws {
        #if MUTANTS
            if Mutant.commitsUnfenced.isPlanted {
                return try enqueue("UPDATE meta SET commits = commits + 1 WHERE single = 1")
            }
        #endif
        try enqueue(Self.countingCommit, PostgresParameters([.integer(fence)]))
    }

    fileprivate static func isFenced(_ error: TillError) -> Bool {
        let cause = error.cause as? PostgresStatementError
        return cause?.state == notNullViolation && cause?.sql == countingCommit
    }
}
