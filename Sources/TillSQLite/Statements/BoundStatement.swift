import FoundationEssentials
import GRDB
import GRDBSQLite
import TillModel

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

/// A value to bind to a statement, in one of the forms in which SQLite keeps it.
enum SQLValue {
    case null
    case integer(Int64)
    case text(String)
    case bytes([UInt8])
    case uuid(UUID)
}

extension SQLValue {
    init(_ integer: Int64?) {
        self = integer.map(SQLValue.integer) ?? .null
    }

    init(_ integer: Int?) {
        self.init(integer.map(Int64.init))
    }

    /// A revision. Those that SQLite cannot hold are beyond every revision that there is.
    init(_ revision: UInt64) {
        self = .integer(Int64(clamping: revision))
    }

    init(_ flag: Bool?) {
        self = flag.map { .integer($0 ? 1 : 0) } ?? .null
    }

    init(_ text: String?) {
        self = text.map(SQLValue.text) ?? .null
    }

    init(_ bytes: [UInt8]?) {
        self = bytes.map(SQLValue.bytes) ?? .null
    }

    init(_ uuid: UUID?) {
        self = uuid.map(SQLValue.uuid) ?? .null
    }

    /// A point in time, kept in milliseconds since 1970.
    init(_ date: Date?) {
        self.init(date?.millisecondsSince1970)
    }

    /// A `LIMIT`. A negative one would mean no limit.
    init(limit: Int) {
        self.init(max(0, limit))
    }
}

extension SQLValue: Equatable {
    /// Whether SQLite would keep the same: Swift takes different bytes of text for equal.
    static func == (left: Self, right: Self) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.integer(let left), .integer(let right)): left == right
        case (.text(let left), .text(let right)): left.hasSameBytes(as: right)
        case (.bytes(let left), .bytes(let right)): left == right
        case (.uuid(let left), .uuid(let right)): left == right
        default: false
        }
    }
}
