import CPostgreSQL
import FoundationEssentials
import TillModel
import TillSQL

/// A connection to a PostgreSQL server, with the statements that it has prepared. A call blocks its thread for a round trip.
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
    /// How long the server may take to accept a connection, or to acknowledge what was sent, in seconds. An address may
    /// have other values.
    private static let patience = 10

    /// Null when it is closed; libpq then refuses every call.
    private var connection: OpaquePointer?
    /// Whether the session has ended. libpq itself may notice that only later.
    private(set) var isLost = false
    /// The names of prepared statements by their texts.
    private var names: [String: String] = [:]

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
                String(Self.patience),
                String(Self.patience * 1000)
            )
        else {
            throw TillError(.resourceExhausted, "There is not enough memory for a connection to PostgreSQL.")
        }
        unsafe self.connection = unsafe connection
        guard unsafe PQstatus(connection) == CONNECTION_OK else {
            let reason = unsafe PostgresResult.line(PQerrorMessage(connection))
            throw TillError(.unavailable, "PostgreSQL cannot be reached: \(reason)")
        }
        try execute("SET search_path TO \(Self.quoted(schema))")
        try execute("SET synchronous_commit TO on")
        try execute("SET idle_in_transaction_session_timeout TO '\(Self.idleInTransactionMaximum)s'")
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

    /// Runs a statement without parameters and rows.
    ///
    /// - Returns: What the server did, for example `COMMIT`.
    @discardableResult
    func execute(_ sql: String) throws -> String {
        let result = unsafe PostgresResult(PQexec(connection, sql))
        try check(result, sql)
        return result.command
    }

    @discardableResult
    func run(_ sql: String, _ values: [SQLValue], _ body: (any SQLRow) throws -> Void) throws -> Int {
        let name = try prepare(sql)
        var parameters = PostgresParameters()
        for value in values {
            try parameters.append(value)
        }
        let result = unsafe PostgresResult(
            till_pq_run(connection, name, CInt(clamping: values.count), parameters.bytes, parameters.lengths)
        )
        try check(result, sql)
        while result.next() {
            try body(result)
        }
        return result.changedCount
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
}

/// The end of a connection. What the server did not confirm may still have happened.
struct PostgresConnectionLost: Error, CustomStringConvertible {
    var reason: String

    var description: String {
        "The connection to PostgreSQL is lost: \(reason)"
    }
}

/// The values of a statement, in PostgreSQL's binary format.
struct PostgresParameters {
    /// One value after the other.
    private(set) var bytes: [UInt8] = []
    /// The length of each value; -1 for null.
    private(set) var lengths: [CInt] = []

    /// - Throws: `invalidArgument` for text with U+0000, which PostgreSQL cannot store.
    mutating func append(_ value: SQLValue) throws(TillError) {
        switch value {
        case .null:
            lengths.append(-1)
        case .integer(let integer):
            append(bigEndianBytes(of: integer))
        case .text(let text):
            guard !text.utf8.contains(0) else {
                throw TillError(.invalidArgument, "PostgreSQL cannot store text with the character U+0000.")
            }
            append(Array(text.utf8))
        case .bytes(let value):
            append(value)
        case .uuid(let uuid):
            append(uuid.bytes)
        }
    }

    private mutating func append(_ value: [UInt8]) {
        bytes += value
        lengths.append(CInt(clamping: value.count))
    }

    private func bigEndianBytes(of integer: Int64) -> [UInt8] {
        let bits = UInt64(bitPattern: integer)
        return stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: bits >> $0) }
    }
}
