import FoundationEssentials
package import GRDB
import GRDBSQLite
import TillModel
package import TillSQL

/// A prepared statement with its values bound; its deinit resets it for the next use.
///
/// It binds and reads through SQLite itself: GRDB's own values cut text at its first NUL and trap on a value of the
/// wrong type.
struct BoundStatement: ~Copyable {
    /// Makes SQLite copy bound values.
    private static let transient = unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)

    private let statement: Statement

    init(_ statement: Statement) {
        self.statement = statement
    }

    /// Binds the values to the parameters from the first on.
    func bind(_ values: ArraySlice<SQLValue>) throws {
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

    /// The row it stands at.
    var row: any SQLRow {
        statement
    }

    private func bind(_ value: SQLValue, at index: CInt) -> CInt {
        let handle = unsafe statement.sqliteStatement
        switch value {
        case .null:
            // A parameter without a binding is null.
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

    /// The error as GRDB would throw it; for a broken constraint, a ``TillError`` about the caller's row.
    private func error(_ code: CInt) -> any Error {
        let message = unsafe String(cString: sqlite3_errmsg(sqlite3_db_handle(statement.sqliteStatement)))
        let error = DatabaseError(resultCode: ResultCode(rawValue: code), message: message, sql: statement.sql)
        switch error.extendedResultCode {
        case .SQLITE_CONSTRAINT_UNIQUE, .SQLITE_CONSTRAINT_PRIMARYKEY:
            return TillError(.alreadyExists, "The ledger has a row with this identity already.", cause: error)
        case .SQLITE_CONSTRAINT_FOREIGNKEY:
            return TillError(.notFound, "The ledger does not have the row that this one refers to.", cause: error)
        case _ where error.resultCode == .SQLITE_CONSTRAINT:
            return TillError(.internal, "The row breaks a constraint of the ledger.", cause: error)
        default:
            return error
        }
    }
}

/// The row that a statement stands at.
extension Statement: SQLRow {
    package func kind(ofColumn index: Int) -> SQLColumnKind {
        switch unsafe sqlite3_column_type(sqliteStatement, CInt(index)) {
        case SQLITE_INTEGER: .integer
        case SQLITE_TEXT: .text
        case SQLITE_BLOB: .bytes
        case SQLITE_NULL: .null
        default: .other
        }
    }

    package func integer(ofColumn index: Int) -> Int64 {
        unsafe sqlite3_column_int64(sqliteStatement, CInt(index))
    }

    package func text(ofColumn index: Int) -> String? {
        let start = unsafe sqlite3_column_text(sqliteStatement, CInt(index))
        let utf8 = unsafe UnsafeBufferPointer(start: start, count: byteCount(ofColumn: index))
        return unsafe String(validating: utf8, as: UTF8.self)
    }

    package func bytes(ofColumn index: Int) -> [UInt8] {
        let start = unsafe sqlite3_column_blob(sqliteStatement, CInt(index))
        return unsafe Array(UnsafeRawBufferPointer(start: start, count: byteCount(ofColumn: index)))
    }

    package func name(ofColumn index: Int) -> String {
        let name = unsafe sqlite3_column_name(sqliteStatement, CInt(index))
        return unsafe name.map { unsafe String(cString: $0) } ?? ""
    }

    private func byteCount(ofColumn index: Int) -> Int {
        Int(unsafe sqlite3_column_bytes(sqliteStatement, CInt(index)))
    }
}
