import FoundationEssentials
import GRDB
import GRDBSQLite
import TillModel

/// A prepared statement with its values bound; reset for the next use when it goes.
///
/// It binds and reads through SQLite itself: GRDB's own values cut text at its first NUL and trap on a value of the
/// wrong type.
struct BoundStatement: ~Copyable {
    /// Has SQLite copy what is bound.
    private static let transient = unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)

    private let statement: Statement

    init(_ statement: Statement) {
        self.statement = statement
    }

    /// Binds the values to the parameters from the first on.
    func bind(_ values: [SQLValue]) throws {
        for (index, value) in zip(CInt(1)..., values) {
            try check(bind(value, at: index))
        }
    }

    deinit {
        _ = unsafe sqlite3_reset(statement.sqliteStatement)
        _ = unsafe sqlite3_clear_bindings(statement.sqliteStatement)
    }

    /// Goes to the next row; false after the last.
    func step() throws -> Bool {
        let code = unsafe sqlite3_step(statement.sqliteStatement)
        guard code != SQLITE_DONE else {
            return false
        }
        guard code == SQLITE_ROW else {
            throw error(code)
        }
        return true
    }

    /// The columns of the row it stands at.
    func columns(of table: String) -> Columns {
        Columns(statement: statement, table: table)
    }

    private func bind(_ value: SQLValue, at index: CInt) -> CInt {
        let handle = unsafe statement.sqliteStatement
        switch value {
        case .null:
            // As it is before anything is bound.
            return SQLITE_OK
        case .integer(let integer):
            return unsafe sqlite3_bind_int64(handle, index, integer)
        case .text(var text):
            return text.withUTF8 { utf8 in
                guard let start = unsafe UnsafeRawPointer(utf8.baseAddress) else {
                    return unsafe sqlite3_bind_text(handle, index, "", 0, Self.transient)
                }
                let characters = unsafe start.assumingMemoryBound(to: CChar.self)
                return unsafe sqlite3_bind_text(handle, index, characters, CInt(clamping: utf8.count), Self.transient)
            }
        case .bytes(let bytes):
            return unsafe bytes.withUnsafeBytes { unsafe bind($0, at: index) }
        case .uuid(let uuid):
            return unsafe withUnsafeBytes(of: uuid.uuid) { unsafe bind($0, at: index) }
        }
    }

    private func bind(_ bytes: UnsafeRawBufferPointer, at index: CInt) -> CInt {
        guard let start = bytes.baseAddress, unsafe !bytes.isEmpty else {
            return unsafe sqlite3_bind_zeroblob(statement.sqliteStatement, index, 0)
        }
        return unsafe sqlite3_bind_blob(
            statement.sqliteStatement,
            index,
            start,
            CInt(clamping: bytes.count),
            Self.transient
        )
    }

    private func check(_ code: CInt) throws {
        guard code == SQLITE_OK else {
            throw error(code)
        }
    }

    /// The error as GRDB would throw it; a broken constraint as a fault of the caller's.
    private func error(_ code: CInt) -> any Error {
        let message = unsafe String(cString: sqlite3_errmsg(sqlite3_db_handle(statement.sqliteStatement)))
        let error = DatabaseError(resultCode: ResultCode(rawValue: code), message: message, sql: statement.sql)
        switch error.extendedResultCode {
        case .SQLITE_CONSTRAINT_UNIQUE, .SQLITE_CONSTRAINT_PRIMARYKEY:
            return TillError(.alreadyExists, "The ledger has a row with this identity already.", cause: error)
        case .SQLITE_CONSTRAINT_FOREIGNKEY:
            return TillError(.notFound, "The ledger does not have what the row refers to.", cause: error)
        case _ where error.resultCode == .SQLITE_CONSTRAINT:
            return TillError(.internal, "The ledger does not take such a row.", cause: error)
        default:
            return error
        }
    }
}
