package import FoundationEssentials
package import TillModel

/// The columns of one row, read one after the other, each checked: the disk may not hold what was written.
///
/// The first column is the row's key, which errors name. Valid until the statement goes to its next row.
package struct Columns {
    private let row: any SQLRow
    private let table: String
    private var index = 0

    init(_ row: any SQLRow, of table: String) {
        self.row = row
        self.table = table
    }

    package mutating func integer() throws -> Int64 {
        try integerIfPresent().orThrow(unreadable())
    }

    package mutating func integerIfPresent() throws -> Int64? {
        try next(.integer).map(row.integer(ofColumn:))
    }

    package mutating func text() throws -> String {
        try textIfPresent().orThrow(unreadable())
    }

    package mutating func textIfPresent() throws -> String? {
        try next(.text).map { try row.text(ofColumn: $0).orThrow(unreadable()) }
    }

    package mutating func bytes() throws -> [UInt8] {
        try bytesIfPresent().orThrow(unreadable())
    }

    package mutating func bytesIfPresent() throws -> [UInt8]? {
        try next(.bytes).map(row.bytes(ofColumn:))
    }

    /// Skips columns that an absent value leaves empty.
    package mutating func skip(_ count: Int) {
        index += count
    }

    /// The error for a row that is not as it was written; names the column that was read last.
    package func unreadable() -> TillError {
        unreadable(column: row.name(ofColumn: max(0, index - 1)))
    }

    package func unreadable(column: String) -> TillError {
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
    package var isBytes: Bool {
        row.kind(ofColumn: index) == .bytes
    }

    /// Whether the next column is empty.
    package var isNull: Bool {
        row.kind(ofColumn: index) == .null
    }

    /// The next column, nil if it is empty.
    private mutating func next(_ kind: SQLColumnKind) throws -> Int? {
        let column = index
        index += 1
        let found = row.kind(ofColumn: column)
        guard found == kind || found == .null else {
            throw unreadable()
        }
        return found == kind ? column : nil
    }

    private var key: String {
        switch row.kind(ofColumn: 0) {
        case .integer: String(row.integer(ofColumn: 0))
        case .bytes: UUID(bytes: row.bytes(ofColumn: 0))?.text ?? "without a key"
        default: "without a key"
        }
    }
}

extension Columns {
    package mutating func uuidIfPresent() throws -> UUID? {
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
