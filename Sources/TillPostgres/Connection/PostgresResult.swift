import CPostgreSQL
import FoundationEssentials
import TillModel
import TillSQL

/// The answer to a statement: its rows, of which this stands at one, or why the statement failed.
///
/// `@safe`: it owns libpq's result, and ends it. Rows and columns are checked, so that no read is out of bounds.
@safe final class PostgresResult: SQLRow {
    /// Null if there was not enough memory for it.
    private let result: OpaquePointer?
    private let rowCount: CInt
    private var row: CInt = -1

    init(_ result: OpaquePointer?) {
        unsafe self.result = unsafe result
        rowCount = unsafe PQntuples(result)
    }

    deinit {
        unsafe PQclear(result)
    }

    /// Why the statement failed; nil if it did not.
    var failure: PostgresFailure? {
        let status = unsafe PQresultStatus(result)
        guard ![PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_COPY_IN].contains(status) else {
            return nil
        }
        // The whole message could have values of rows, which are not for everyone.
        let whole = unsafe Self.line(PQresultErrorMessage(result))
        let message = field("M") ?? whole
        return PostgresFailure(severity: field("V"), state: field("C") ?? "", message: message)
    }

    /// A part of the server's report, by its letter
    /// (https://www.postgresql.org/docs/15/protocol-error-fields.html).
    private func field(_ letter: Unicode.Scalar) -> String? {
        unsafe PQresultErrorField(result, CInt(letter.value)).map { unsafe String(cString: $0) }
    }

    /// Whether it is the server's answer to the end of a pipeline.
    var endsPipeline: Bool {
        unsafe PQresultStatus(result) == PGRES_PIPELINE_SYNC
    }

    /// How many rows the statement changed or gave.
    var changedCount: Int {
        unsafe PQcmdTuples(result).flatMap { unsafe Int(String(cString: $0)) } ?? 0
    }

    /// What the server did, for example `COMMIT`.
    var command: String {
        unsafe PQcmdStatus(result).map { unsafe String(cString: $0) } ?? ""
    }

    /// Gives the rows to `body`, one after the other.
    func forEach(_ body: (any SQLRow) throws -> Void) rethrows {
        for index in 0..<rowCount {
            row = index
            try body(self)
        }
    }

    func kind(ofColumn index: Int) -> SQLColumnKind {
        guard let column = column(index), unsafe PQgetisnull(result, row, column) == 0 else {
            return .null
        }
        // The numbers of types never change (https://www.postgresql.org/docs/15/catalog-pg-type.html).
        return switch unsafe PQftype(result, column) {
        case 20: .integer
        case 25: .text
        case 17, 2950: .bytes
        default: .other
        }
    }

    func integer(ofColumn index: Int) -> Int64 {
        bytes(ofColumn: index).reduce(0) { $0 << 8 | Int64($1) }
    }

    func text(ofColumn index: Int) -> String? {
        String(validating: bytes(ofColumn: index), as: UTF8.self)
    }

    func bytes(ofColumn index: Int) -> [UInt8] {
        guard let column = column(index), let start = unsafe PQgetvalue(result, row, column) else {
            return []
        }
        let count = Int(unsafe PQgetlength(result, row, column))
        return unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
    }

    func name(ofColumn index: Int) -> String {
        let name = unsafe column(index).flatMap { unsafe PQfname(result, $0) }
        return unsafe name.map { unsafe String(cString: $0) } ?? ""
    }

    /// The column's number, if the row that this stands at has it.
    private func column(_ index: Int) -> CInt? {
        guard row >= 0, row < rowCount, let column = CInt(exactly: index), column >= 0,
            unsafe column < PQnfields(result)
        else {
            return nil
        }
        return column
    }

    /// libpq's message as one line.
    static func line(_ message: UnsafePointer<CChar>?) -> String {
        let text = unsafe message.map { unsafe String(cString: $0) } ?? ""
        let lines = text.split(separator: "\n").map { $0.trimmingPrefix { $0 == " " || $0 == "\t" } }
        return lines.isEmpty ? "no reason was given." : lines.joined(separator: "; ")
    }
}

/// Why a statement failed.
struct PostgresFailure {
    /// Nil if there was no report from the server.
    var severity: String?
    /// PostgreSQL's code (https://www.postgresql.org/docs/15/errcodes-appendix.html); empty if the server gave none.
    var state: String
    var message: String

    /// Whether the session is over: the server said so, or said nothing.
    var endsSession: Bool {
        severity == nil || severity == "FATAL" || severity == "PANIC"
    }

    /// For a transaction that went on after one of its statements had failed.
    static let rolledBack = TillError(.internal, "A statement failed, and the ledger's transaction was rolled back.")

    /// The error for the caller, which names what to do where that is known.
    func error(_ sql: String) -> TillError {
        switch state {
        case "23505":
            TillError(.alreadyExists, "The ledger has a row with this identity already.", cause: cause(sql))
        case "23503":
            TillError(.notFound, "The ledger does not have the row that this one refers to.", cause: cause(sql))
        case "25P02": Self.rolledBack
        case _ where state.hasPrefix("23"):
            TillError(.internal, "The row breaks a constraint of the ledger.", cause: cause(sql))
        case "42P01", "3F000":
            TillError(.failedPrecondition, "The database has no ledger, or a part of it is missing: \(message)")
        case "42501",
            _ where state.hasPrefix("28"):
            TillError(.permissionDenied, "PostgreSQL refuses the role: \(message)")
        case _ where state.hasPrefix("53"):
            TillError(.resourceExhausted, "PostgreSQL is short of room: \(message)")
        default:
            TillError(.unavailable, "PostgreSQL refused a statement: \(message)", cause: cause(sql))
        }
    }

    private func cause(_ sql: String) -> PostgresStatementError {
        PostgresStatementError(state: state, message: message, sql: sql)
    }
}

/// A statement that failed, for the log.
struct PostgresStatementError: Error {
    var state: String
    var message: String
    var sql: String
}
