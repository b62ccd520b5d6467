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

    /// Takes the lock that one daemon has, for as long as this session lasts. The server ends the session of a daemon that has
    /// just stopped a little later.
    ///
    /// - Throws: `failedPrecondition` if another session still has the lock after ``lockPatience``.
    func lockLedger(_ schema: String) throws {
        try execute("SET lock_timeout TO '\(Self.lockPatience)s'")
        do {
            try run("SELECT pg_advisory_lock(\(Self.lockClass), hashtext(?1))", [SQLValue(schema)]) { _ in }
        } catch let error as TillError where Self.isLockNotAvailable(error) {
            throw TillError(
                .failedPrecondition,
                "Another daemon uses the ledger in PostgreSQL's schema \(schema). Stop it first."
            )
        }
        try execute("SET lock_timeout TO 0")
    }

    /// In seconds.
    private static let lockPatience = 5
    /// Whether a lock was not free in time.
    static func isLockNotAvailable(_ error: TillError) -> Bool {
        (error.cause as? PostgresStatementError)?.state == "55P03"
    }

    /// Sets these locks apart from those of other applications: `Till` in ASCII.
    private static let lockClass = 0x5469_6C6C

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
