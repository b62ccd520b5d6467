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
    func flush(_ commit: Int64, on connection: PostgresConnection) throws {
        try connection.flush()
        known.withLockedValue { $0 = max($0, commit) }
    }
}

extension PostgresConnection {
    /// Returns once all that the server has committed is durable, and a synchronous standby has it: its log is flushed in order
    /// (https://www.postgresql.org/docs/15/wal-async-commit.html). The message only makes the transaction one that is flushed.
    func flush() throws {
        try run("SELECT CAST(pg_logical_emit_message(true, 'till', '') AS text)", []) { _ in }
    }

    /// Gives `body` how many commits the ledger has, with the end of the transaction and so without a round trip of its own.
    func readCommitCountLater(_ body: @escaping (Int64) -> Void) throws {
        try readLater("SELECT commits FROM meta WHERE single = 1", []) { body($0.integer(ofColumn: 0)) }
    }
}
