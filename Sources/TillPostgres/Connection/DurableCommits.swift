import NIOConcurrencyHelpers
import TillSQL

/// How many commits of a ledger that hosts share are known to be durable. Others can be read a little before they are, and are
/// lost if the server fails in between. So nothing that was read leaves the ledger before the commits that it saw are flushed.
///
/// The commits are numbered in the order in which they are in PostgreSQL's log, so that one that is durable has all before it. The
/// number of a lost one is given again.
final class DurableCommits: Sendable {
    private let known = NIOLockedValueBox<Int64>(0)

    var count: Int64 {
        known.withLockedValue(\.self)
    }

    /// Flushes the commits up to one that this connection has made or seen. It throws if the server has failed since.
    ///
    /// - Parameter host: The host that made it, whose row then tells the others; nil if it was seen.
    func flush(_ commit: Int64, madeBy host: String? = nil, on connection: PostgresConnection) throws {
        try connection.flush(commit, madeBy: host)
        known.withLockedValue { $0 = max($0, commit) }
    }
}

/// What a transaction has seen of a ledger that hosts share.
struct SeenCommits {
    var count: Int64 = 0
    /// How many of them are known to be durable. More can be.
    var flushed: Int64 = 0
}

extension PostgresConnection {
    private static let flush = "SELECT CAST(pg_logical_emit_message(true, 'till', '') AS text)"
    /// A host's row is its own session's alone, so that no flush waits for another.
    private static let notedFlush =
        "WITH flushed AS (UPDATE hosts SET flushed_commits = ?1 WHERE name = ?2) \(flush)"

    /// Returns once all that the server has committed is durable, and a synchronous standby has it: its log is flushed in order
    /// (https://www.postgresql.org/docs/15/wal-async-commit.html). The message only makes the transaction one that is flushed.
    func flush(_ commit: Int64, madeBy host: String?) throws {
        if let host {
            try run(Self.notedFlush, [.integer(commit), SQLValue(host)]) { _ in }
        } else {
            try run(Self.flush, []) { _ in }
        }
    }

    /// Gives `body` what the transaction has seen, with its end and so without a round trip of its own.
    ///
    /// The row of a host that has flushed can be seen once that is durable. With synchronous standbys, it says nothing: a session
    /// that ends while it waits for one, and a server that starts again, show what no standby has.
    func readSeenCommitsLater(_ body: @escaping (SeenCommits) -> Void) throws {
        let sql = """
            SELECT commits, CASE current_setting('synchronous_standby_names')
                WHEN '' THEN coalesce((SELECT max(flushed_commits) FROM hosts), 0) ELSE 0 END
            FROM meta WHERE single = 1
            """
        try readLater(sql, []) { row in
            body(SeenCommits(count: row.integer(ofColumn: 0), flushed: row.integer(ofColumn: 1)))
        }
    }
}
