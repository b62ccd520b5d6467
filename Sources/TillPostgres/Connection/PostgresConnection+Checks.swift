import FoundationEssentials
import TillModel
import TillSQL

/// What a ledger needs of its server and of the session that commits.
extension PostgresConnection {
    /// Refuses servers that may lose what they confirm, and poolers, which pass a session from one client to another.
    func checkServer() throws {
        for name in ["fsync", "full_page_writes"] where try setting(name) != "on" {
            throw TillError(
                .failedPrecondition,
                "PostgreSQL's setting \(name) is off, so that it may lose payments. Turn it on."
            )
        }
        guard try integer("SELECT CAST(pg_backend_pid() AS BIGINT)") == serverProcess else {
            throw TillError(
                .failedPrecondition,
                "There is a pooler between the daemon and PostgreSQL. Connect to the server itself."
            )
        }
    }

    /// Refuses to rely on servers of which one may take over without all that another has confirmed.
    func checkStandby() throws {
        guard try hostCount == 1 || setting("synchronous_standby_names")?.isEmpty == false else {
            throw TillError(
                .failedPrecondition,
                """
                The ledger's address names several servers, but PostgreSQL's setting synchronous_standby_names is empty, so \
                that payments could be lost. Name the standby there.
                """
            )
        }
    }

    /// Takes the locks of a daemon, for as long as this session lasts. The server ends the session of a daemon that has just
    /// stopped a little later.
    ///
    /// - Throws: `failedPrecondition` if another session still has a lock after ``lockPatience``.
    func lockLedger(_ schema: String, for use: LedgerUse = .alone) throws {
        try execute("SET lock_timeout TO '\(Self.lockPatience)s'")
        switch use {
        case .alone:
            let refusal = "Another daemon uses the ledger in PostgreSQL's schema \(schema). Stop it first."
            try lock("pg_advisory_lock(\(Self.lockClass), hashtext(?1))", schema, orThrow: refusal)
        case .host(let identity):
            try lock(
                "pg_advisory_lock_shared(\(Self.lockClass), hashtext(?1))",
                schema,
                orThrow: """
                    A daemon without --host, or tilld itself, uses the ledger in PostgreSQL's schema \(schema) alone. Stop it \
                    first.
                    """
            )
            try lock(
                "pg_advisory_lock(\(Self.hostLockClass), hashtext(?1))",
                HostIdentity.qualified(identity.name, in: schema),
                orThrow: """
                    Another daemon uses the ledger as the host \(identity.name). Start each daemon with a --host of its own.
                    """
            )
        }
        try execute("SET lock_timeout TO 0")
    }

    private func lock(_ function: String, _ name: String, orThrow refusal: String) throws {
        do {
            try run("SELECT \(function)", [SQLValue(name)]) { _ in }
        } catch let error as TillError where Self.isLockNotAvailable(error) {
            throw TillError(.failedPrecondition, refusal)
        }
    }

    /// Refuses a host whose clock differs from the database's: hosts leave each other time by their clocks.
    func checkClock() throws {
        let difference = try clockDifference()
        guard abs(difference) <= Self.clockDifferenceMaximum else {
            throw TillError(
                .failedPrecondition,
                """
                The clock of this host and that of PostgreSQL differ by \(Int(difference.rounded())) s, and hosts that share a \
                ledger need the same time. Set the clocks, for example with chrony.
                """
            )
        }
    }

    /// How far this host's clock is ahead of the database's, at least, in seconds. The time that the question takes does not
    /// count.
    func clockDifference() throws -> Double {
        let earliest = Date.now.timeIntervalSince1970
        let text = try text("SELECT CAST(extract(epoch FROM clock_timestamp()) AS text)")
        let latest = Date.now.timeIntervalSince1970
        let found = text.flatMap(Double.init) ?? 0
        return found < earliest ? earliest - found : min(latest - found, 0)
    }

    /// In seconds.
    static let clockDifferenceMaximum = 2.0

    /// Lets the server end the session of a daemon that was paused within a commit, which every other host waits for.
    func limitPauses() throws {
        try execute("SET idle_in_transaction_session_timeout TO '\(Self.pauseMaximum)s'")
    }

    /// In seconds.
    private static let lockPatience = 5
    /// How long a commit of a shared ledger may do nothing, in seconds.
    static let pauseMaximum = 3
    /// Whether a lock was not free in time.
    static func isLockNotAvailable(_ error: TillError) -> Bool {
        (error.cause as? PostgresStatementError)?.state == "55P03"
    }

    /// Sets these locks apart from those of other applications: `Till` in ASCII.
    private static let lockClass = 0x5469_6C6C
    /// The class of the locks that daemons hold under the names of their hosts: `Host` in ASCII.
    static let hostLockClass = 0x486F_7374

    /// Makes the server read rows by their indexes, which every statement of a commit has. It would keep a plan that reads a
    /// whole table, made while that was small, after it has grown.
    func preferIndexes() throws {
        for method in ["seqscan", "hashjoin", "mergejoin"] {
            try execute("SET enable_\(method) TO off")
        }
    }

    /// Whether the session's role may do everything, on the server's machine too.
    var isSuperuser: Bool {
        get throws { try setting("is_superuser") == "on" }
    }

    private func setting(_ name: String) throws -> String? {
        try text("SELECT current_setting(?1)", [SQLValue(name)])
    }

    /// The first column of the last row of a query; nil without a row.
    func text(_ sql: String, _ values: [SQLValue] = []) throws -> String? {
        var value: String?
        try run(sql, values) { value = $0.text(ofColumn: 0) }
        return value
    }

    private func integer(_ sql: String, _ values: [SQLValue] = []) throws -> Int64? {
        var value: Int64?
        try run(sql, values) { value = $0.integer(ofColumn: 0) }
        return value
    }
}
