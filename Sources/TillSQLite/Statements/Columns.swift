import FoundationEssentials
import GRDB
import GRDBSQLite
import TillModel

/// The columns of one row, read one after the other, each checked: the disk may not hold what was written.
///
/// The first column is the row's key, which errors name. Valid until the statement goes to its next row.
struct Columns {
    private let statement: Statement
    private let table: String
    private var index: CInt = 0

    init(statement: Statement, table: String) {
        self.statement = statement
        self.table = table
    }

    mutating func integer() throws -> Int64 {
        try integerIfPresent().orThrow(unreadable())
    }

    mutating func integerIfPresent() throws -> Int64? {
        try next(SQLITE_INTEGER).map { unsafe sqlite3_column_int64(statement.sqliteStatement, $0) }
    }

    mutating func text() throws -> String {
        try textIfPresent().orThrow(unreadable())
    }

    mutating func textIfPresent() throws -> String? {
        guard let column = try next(SQLITE_TEXT) else {
            return nil
        }
        let start = unsafe sqlite3_column_text(statement.sqliteStatement, column)
        let utf8 = unsafe UnsafeBufferPointer(start: start, count: byteCount(of: column))
        return try unsafe String(validating: utf8, as: UTF8.self).orThrow(unreadable())
    }

    mutating func bytes() throws -> [UInt8] {
        try bytesIfPresent().orThrow(unreadable())
    }

    mutating func bytesIfPresent() throws -> [UInt8]? {
        try next(SQLITE_BLOB).map(bytes(at:))
    }

    /// Skips columns that an absent value leaves empty.
    mutating func skip(_ count: CInt) {
        index += count
    }

    /// The error for a row that is not as it was written; names the column that was read last.
    func unreadable() -> TillError {
        let name = unsafe sqlite3_column_name(statement.sqliteStatement, max(0, index - 1))
        let column = unsafe name.map { unsafe String(cString: $0) } ?? ""
        return .unreadable(row: key, of: table, column: column)
    }

    func unreadable(column: String) -> TillError {
        .unreadable(row: key, of: table, column: column)
    }

    /// Reads fields that the column holds which was read last.
    func fields<Value>(of reader: inout FieldReader, _ read: (inout FieldReader) throws -> Value) throws -> Value {
        do {
            return try read(&reader)
        } catch is UnreadableField {
            throw unreadable()
        }
    }

    /// Whether the next column holds bytes.
    var isBytes: Bool {
        nextType == SQLITE_BLOB
    }

    /// Whether the next column is empty.
    var isNull: Bool {
        nextType == SQLITE_NULL
    }

    private var nextType: CInt {
        unsafe sqlite3_column_type(statement.sqliteStatement, index)
    }

    /// The next column, nil if it is empty.
    private mutating func next(_ type: CInt) throws -> CInt? {
        let column = index
        index += 1
        let found = unsafe sqlite3_column_type(statement.sqliteStatement, column)
        guard found == type || found == SQLITE_NULL else {
            throw unreadable()
        }
        return found == type ? column : nil
    }

    private func byteCount(of column: CInt) -> Int {
        Int(unsafe sqlite3_column_bytes(statement.sqliteStatement, column))
    }

    private func bytes(at column: CInt) -> [UInt8] {
        let start = unsafe sqlite3_column_blob(statement.sqliteStatement, column)
        return unsafe Array(UnsafeRawBufferPointer(start: start, count: byteCount(of: column)))
    }

    private var key: String {
        switch unsafe sqlite3_column_type(statement.sqliteStatement, 0) {
        case SQLITE_INTEGER: unsafe String(sqlite3_column_int64(statement.sqliteStatement, 0))
        case SQLITE_BLOB: UUID(bytes: bytes(at: 0))?.text ?? "without a key"
        default: "without a key"
        }
    }
}

extension Columns {
    mutating func uuidIfPresent() throws -> UUID? {
        try bytesIfPresent().map { try UUID(bytes: $0).orThrow(unreadable()) }
    }
}

extension TillError {
    /// The error for a row that is not as it was written.
    static func unreadable(row key: String, of table: String, column: String) -> TillError {
        TillError(.dataLoss, "Row \(key) of the ledger's table \(table) cannot be read: see its column \(column).")
    }
}

extension Optional {
    /// The value, or the error when there is none.
    fileprivate func orThrow(_ error: @autoclosure () -> TillError) throws -> Wrapped {
        guard let self else {
            throw error()
        }
        return self
    }
}
