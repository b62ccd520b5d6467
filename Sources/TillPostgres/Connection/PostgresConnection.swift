import CPostgreSQL
import FoundationEssentials
import Glibc
import TillModel
import TillSQL

/// A connection to a PostgreSQL server, with the statements that it has prepared. A call that needs an answer
/// blocks its thread for a round trip.
///
/// Values and columns are in PostgreSQL's binary format
/// (https://www.postgresql.org/docs/15/libpq-exec.html#LIBPQ-PQEXECPARAMS).
///
/// `@safe`: it owns libpq's connection, and ends it.
// Sendable: it is used by one task at a time, the ledger's thread for commits or the borrower of a reader.
@safe final class PostgresConnection: SQLConnection, @unchecked Sendable {
    /// Statements that a connection keeps prepared. Their texts are the program's, and those of the filters that operators
    /// combine.
    static let statementsMaximum = 512
    /// After how long the server ends a session that is idle within a transaction, so that a daemon that hangs holds no
    /// locks, in seconds.
    static let idleInTransactionMaximum = 30
    /// How long the server may take to accept a connection, and either end to acknowledge what the other has sent, in seconds.
    /// An address may have other values for this end.
    private static let patience: CInt = 10
    /// After how long each end of a connection without traffic asks whether the other is there, and then how often, in
    /// seconds. With the maximum of unanswered probes, it takes as long as ``patience``.
    private static let (probesAfter, probesEvery, probesMaximum) = (CInt(4), CInt(2), CInt(3))

    /// Null when it is closed; libpq then refuses every call.
    private var connection: OpaquePointer?
    /// Whether the session has ended. libpq itself may notice that only later.
    private(set) var isLost = false
    /// The names of prepared statements by their texts.
    private var names: [String: String] = [:]
    /// The types of columns by the names of tables and columns.
    private var columnTypes: [String: [String: PostgresType]] = [:]
    /// Statements that are sent with the next one that has an answer.
    private var queued: [QueuedStatement] = []

    private struct QueuedStatement {
        var name: String
        var sql: String
        var parameters: PostgresParameters
        /// Takes the rows.
        var body: ((any SQLRow) throws -> Void)?
    }

    /// Connects, and sets what every session of a daemon needs.
    ///
    /// - Parameters:
    ///   - address: A connection URI or a list of keywords
    ///     (https://www.postgresql.org/docs/15/libpq-connect.html#LIBPQ-CONNSTRING).
    ///   - schema: The schema that has the ledger's tables.
    /// - Throws: `unavailable` with the server's or the system's reason, when it cannot connect.
    init(to address: String, schema: String) throws {
        guard
            let connection = unsafe till_pq_connect(
                address,
                "tilld",
                till_pq_patience(
                    acknowledged_within: Self.patience,
                    probes_after: Self.probesAfter,
                    probes_every: Self.probesEvery,
                    probes_maximum: Self.probesMaximum
                )
            )
        else {
            throw TillError(.resourceExhausted, "There is not enough memory for a connection to PostgreSQL.")
        }
        unsafe self.connection = unsafe connection
        guard unsafe PQstatus(connection) == CONNECTION_OK else {
            let reason = unsafe PostgresResult.line(PQerrorMessage(connection))
            throw TillError(.unavailable, "PostgreSQL cannot be reached: \(reason)")
        }
        try execute(Self.settings(schema))
    }

    /// What every session of a daemon sets.
    private static func settings(_ schema: String) -> String {
        """
        SET search_path TO \(searchPath(schema));
        SET synchronous_commit TO on;
        -- Compiling a statement, or planning it at each run, takes longer than the run.
        SET jit TO off;
        SET plan_cache_mode TO force_generic_plan;
        SET idle_in_transaction_session_timeout TO '\(idleInTransactionMaximum)s';
        -- The server would otherwise keep the session, with its locks, of a daemon whose network has failed for two hours
        -- (https://www.postgresql.org/docs/15/runtime-config-connection.html#RUNTIME-CONFIG-CONNECTION-SETTINGS).
        SET tcp_keepalives_idle TO \(probesAfter);
        SET tcp_keepalives_interval TO \(probesEvery);
        SET tcp_keepalives_count TO \(probesMaximum);
        SET tcp_user_timeout TO '\(patience)s';
        """
    }

    deinit {
        close()
    }

    /// Ends the session.
    func close() {
        unsafe PQfinish(connection)
        unsafe connection = nil
        isLost = true
    }

    var dialect: SQLDialect {
        .postgresql
    }

    /// Whether the server has a transaction of this session, perhaps one in which a statement failed.
    var isInTransaction: Bool {
        unsafe PQtransactionStatus(connection) != PQTRANS_IDLE
    }

    /// The number of the process that serves the session, as it was told when the session began.
    var serverProcess: Int64 {
        Int64(unsafe PQbackendPID(connection))
    }

    /// The socket of the session.
    var socket: CInt {
        unsafe PQsocket(connection)
    }

    /// Blocks until the server sends something, and returns the texts of its notifications; nil if the session has ended.
    func waitForNotices() -> [String]? {
        var waiting = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&waiting, 1, -1) >= 0 || errno == EINTR, unsafe PQconsumeInput(connection) == 1 else {
            return nil
        }
        var texts: [String] = []
        while let notice = unsafe PQnotifies(connection) {
            unsafe texts.append(String(cString: notice.pointee.extra))
            unsafe PQfreemem(notice)
        }
        return texts
    }

    /// How many servers its address names.
    var hostCount: Int {
        guard let options = unsafe PQconninfo(connection) else {
            return 1
        }
        defer { unsafe PQconninfoFree(options) }
        return unsafe max(1, PostgresAddress.hosts(PostgresAddress.values(options)).count)
    }

    /// Runs a statement without parameters and rows.
    func execute(_ sql: String) throws {
        try sendQueued()
        let result = unsafe PostgresResult(PQexec(connection, sql))
        try check(result, sql)
    }

    @discardableResult
    func run(_ sql: String, _ values: [SQLValue], _ body: (any SQLRow) throws -> Void) throws -> Int {
        try enqueue(sql, PostgresParameters(values))
        guard let result = try sendQueued() else {
            return 0
        }
        try result.forEach(body)
        return result.changedCount
    }

    func readLater(_ sql: String, _ values: [SQLValue], _ body: @escaping (any SQLRow) throws -> Void) throws {
        try enqueue(sql, PostgresParameters(values), body)
    }

    func finishReads() throws {
        try sendQueued()
    }

    func write(_ values: [SQLValue], with statement: RowStatement) throws {
        let types = try types(of: statement)
        try enqueue(statement.sql(types), PostgresParameters(columns: types, ofRows: values))
    }

    /// Sends rows of a table in PostgreSQL's binary format
    /// (https://www.postgresql.org/docs/15/sql-copy.html#id-1.9.3.55.9.4).
    ///
    /// - Parameters:
    ///   - sql: `COPY … FROM STDIN (FORMAT binary)`.
    ///   - body: Calls its parameter with the values of each row.
    /// - Throws: The error of `body`, after which the server has taken no row; the server's about a row.
    func copy(_ sql: String, _ body: (_ send: ([SQLValue]) throws -> Void) throws -> Void) throws {
        try execute(sql)
        do {
            try sendCopy(CopyBytes.header)
            try body { try sendCopy(CopyBytes.row($0)) }
            try sendCopy(CopyBytes.trailer)
        } catch {
            _ = unsafe PQputCopyEnd(connection, "The rows could not be read.")
            _ = unsafe PostgresResult(PQgetResult(connection))
            _ = unsafe PostgresResult(PQgetResult(connection))
            throw error
        }
        let isEnded = unsafe PQputCopyEnd(connection, nil) == 1
        let result = unsafe PostgresResult(PQgetResult(connection))
        // The connection is free for the next statement only after a result that is null.
        _ = unsafe PostgresResult(PQgetResult(connection))
        try check(result, sql)
        guard isEnded else {
            throw lost()
        }
    }

    private func sendCopy(_ bytes: [UInt8]) throws {
        guard unsafe till_pq_put_copy(connection, bytes, CInt(clamping: bytes.count)) == 1 else {
            throw lost()
        }
    }

    /// The name of the statement, which the server prepares once.
    private func prepare(_ sql: String) throws -> String {
        if let name = names[sql] {
            return name
        }
        if names.count >= Self.statementsMaximum {
            try execute("DEALLOCATE ALL")
            names = [:]
        }
        let name = "s\(names.count)"
        // No statement has a question mark of another meaning.
        let numbered = sql.replacing("?", with: "$")
        try check(unsafe PostgresResult(PQprepare(connection, name, numbered, 0, nil)), sql)
        names[sql] = name
        return name
    }

    /// The types of the statement's columns, for which the server is asked once for each table.
    func types(of statement: RowStatement) throws -> [PostgresType] {
        if columnTypes[statement.table] == nil {
            var types: [String: PostgresType] = [:]
            try run(
                "SELECT attname::text, atttypid::bigint FROM pg_attribute WHERE attrelid = to_regclass(?1) AND attnum > 0",
                [SQLValue(statement.table)]
            ) { row in
                let type = Int32(exactly: row.integer(ofColumn: 1)).flatMap(PostgresType.init)
                types[row.text(ofColumn: 0) ?? ""] = type
            }
            columnTypes[statement.table] = types
        }
        return try statement.columns.map { column in
            guard let type = columnTypes[statement.table]?[column] else {
                throw TillError(
                    .failedPrecondition,
                    "The ledger in PostgreSQL has no usable column \(column) in its table \(statement.table)."
                )
            }
            return type
        }
    }

    /// - Throws: ``PostgresConnectionLost``, or a `TillError` about the statement.
    private func check(_ result: PostgresResult, _ sql: String) throws {
        guard let failure = result.failure else {
            return
        }
        isLost = unsafe PQstatus(connection) != CONNECTION_OK || failure.endsSession
        guard !isLost else {
            throw PostgresConnectionLost(reason: failure.message)
        }
        throw failure.error(sql)
    }

    /// A name as SQL has it.
    static func quoted(_ name: String) -> String {
        "\"\(name.replacing("\"", with: "\"\""))\""
    }

    /// A text as SQL has it.
    static func literal(_ text: String) -> String {
        "'\(text.replacing("'", with: "''"))'"
    }

    /// Where names are looked up. Temporary tables come last; otherwise they would come first.
    static func searchPath(_ schema: String) -> String {
        "\(quoted(schema)), pg_temp"
    }
}

/// Several statements in one round trip (https://www.postgresql.org/docs/15/libpq-pipeline-mode.html).
extension PostgresConnection {
    /// Has a statement sent with the next one that has an answer.
    func enqueue(
        _ sql: String,
        _ parameters: PostgresParameters = PostgresParameters(),
        _ body: ((any SQLRow) throws -> Void)? = nil
    ) throws {
        queued.append(QueuedStatement(name: try prepare(sql), sql: sql, parameters: parameters, body: body))
    }

    /// Sends the statements that wait for it. The server runs none after one that fails.
    ///
    /// - Returns: The answer to the last; nil if none waited.
    /// - Throws: What the first that failed throws.
    @discardableResult
    private func sendQueued() throws -> PostgresResult? {
        let statements = queued
        queued = []
        guard !statements.isEmpty else {
            return nil
        }
        // While libpq cannot write, it takes answers, so that the ends never wait for each other.
        guard unsafe PQenterPipelineMode(connection) == 1, statements.allSatisfy(send),
            unsafe PQpipelineSync(connection) == 1
        else {
            throw lost()
        }
        let answers = try receive(statements)
        // A body may run statements itself.
        for (statement, answer) in zip(statements, answers) {
            try statement.body.map(answer.forEach)
        }
        return answers.last
    }

    private func send(_ statement: QueuedStatement) -> Bool {
        let parameters = statement.parameters
        let count = CInt(clamping: parameters.lengths.count)
        return unsafe till_pq_send(connection, statement.name, count, parameters.bytes, parameters.lengths) == 1
    }

    /// The answers.
    ///
    /// - Throws: What the first statement that failed throws.
    private func receive(_ statements: [QueuedStatement]) throws -> [PostgresResult] {
        var answers: [PostgresResult] = []
        var failed: (answer: PostgresResult, sql: String)?
        for statement in statements {
            let answer = unsafe PostgresResult(PQgetResult(connection))
            // Each answer ends with none.
            unsafe PQclear(PQgetResult(connection))
            if failed == nil, answer.failure != nil {
                failed = (answer, statement.sql)
            }
            answers.append(answer)
        }
        // What is not within a transaction is committed only now, after the answers to the statements.
        let isSynchronized = unsafe PostgresResult(PQgetResult(connection)).endsPipeline
        let isComplete = unsafe PQexitPipelineMode(connection) == 1 && isSynchronized
        if let failed {
            try check(failed.answer, failed.sql)
        }
        guard isComplete else {
            throw lost()
        }
        return answers
    }

    /// Ends the session, which cannot be used any more.
    private func lost() -> PostgresConnectionLost {
        let reason = unsafe PostgresResult.line(PQerrorMessage(connection))
        close()
        return PostgresConnectionLost(reason: reason)
    }

    /// Runs `body` in a transaction, and commits that.
    ///
    /// - Parameter begin: The statement that begins it, which is sent with the first that has an answer.
    /// - Throws: The error of `body` or of a statement, after which nothing has changed; ``PostgresConnectionLost``, after
    ///   which the outcome is unknown.
    func inTransaction<Value>(_ begin: String, _ body: () throws -> Value) throws -> Value {
        try enqueue(begin)
        do {
            let value = try body()
            try enqueue("COMMIT")
            // A transaction in which a statement failed is rolled back by COMMIT, without an error.
            guard try sendQueued()?.command == "COMMIT" else {
                throw PostgresFailure.rolledBack
            }
            return value
        } catch {
            queued = []
            if !isLost, isInTransaction {
                try execute("ROLLBACK")
            }
            throw error
        }
    }
}

/// The end of a connection. What the server did not confirm may still have happened.
struct PostgresConnectionLost: Error, CustomStringConvertible {
    var reason: String

    var description: String {
        "The connection to PostgreSQL is lost: \(reason)"
    }
}
