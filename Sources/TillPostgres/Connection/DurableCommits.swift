import NIOConcurrencyHelpers

/// How many commits of a ledger that hosts share are known to be durable. Its others can be read a little earlier than that, and
/// are lost if the server fails in between. So nothing that was read leaves the ledger before ``wait(for:on:)`` returns.
///
/// The commits are numbered in the order in which they are in PostgreSQL's log, so that one that is durable has all before it.
final class DurableCommits: Sendable {
    private let count = NIOLockedValueBox<Int64>(0)

    /// Notes that a commit and all before it are durable.
    func note(_ commit: Int64) {
        count.withLockedValue { $0 = max($0, commit) }
    }

    /// Returns once the commit and all before it are durable.
    func wait(for commit: Int64, on connection: PostgresConnection) throws {
        guard count.withLockedValue({ $0 < commit }) else {
            return
        }
        try connection.flush()
        note(commit)
    }
}

extension PostgresConnection {
    /// Returns once all that the server has committed is durable, and a synchronous standby has it: its log is flushed in order
    /// (https://www.postgresql.org/docs/15/wal-async-commit.html). The message only makes the transaction one that is flushed.
    func flush() throws {
        try run("SELECT CAST(pg_logical_emit_message(true, 'till', '') AS text)", []) { _ in }
    }

    /// How many commits the ledger has.
    func commitCount() throws -> Int64 {
        try total("SELECT commits FROM meta WHERE single = 1", [])
    }
}
