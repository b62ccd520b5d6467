package import FoundationEssentials
import TillModel

/// Writes or reads the columns of a row, so that one description of them serves all statements of its table.
///
/// A description gives each column's value to the coder, and makes the row of what the coder returns. It describes the row's
/// key first, and all columns, whatever they hold, before it requires a value of one that may be empty. A ``ColumnWriter``
/// is given the row, or nil to learn the names; ``Columns`` are given nil.
package protocol ColumnCoder {
    mutating func integerIfPresent(_ column: String, _ value: Int64?) throws -> Int64?
    mutating func textIfPresent(_ column: String, _ value: String?) throws -> String?
    mutating func bytesIfPresent(_ column: String, _ value: [UInt8]?) throws -> [UInt8]?
    mutating func uuidIfPresent(_ column: String, _ value: UUID?) throws -> UUID?
    /// Says that an update may change the columns which are described from here on.
    mutating func beginChanging()
    /// The value of a column that must have one.
    ///
    /// - Parameter placeholder: What a writer without a row returns.
    func required<Value>(_ value: Value?, of column: String, _ placeholder: Value?) throws -> Value
}

extension ColumnCoder {
    /// The value of a column that must have one where another has.
    package func required<Value>(_ value: Value?, of column: String) throws -> Value {
        try required(value, of: column, nil)
    }

    package mutating func integer(_ column: String, _ value: Int64?) throws -> Int64 {
        try required(integerIfPresent(column, value), of: column, 0)
    }

    package mutating func text(_ column: String, _ value: String?) throws -> String {
        try required(textIfPresent(column, value), of: column, "")
    }

    package mutating func uuid(_ column: String, _ value: UUID?) throws -> UUID {
        try required(uuidIfPresent(column, value), of: column, UUID())
    }

    package mutating func bytes(_ column: String, _ value: [UInt8]?) throws -> [UInt8] {
        try required(bytesIfPresent(column, value), of: column, [])
    }

    /// Bytes whose count is the same in every row.
    package mutating func bytes(_ column: String, _ value: [UInt8]?, count: Int) throws -> [UInt8] {
        let bytes = try required(bytesIfPresent(column, value), of: column, Array(repeating: 0, count: count))
        return try required(bytes.count == count ? bytes : nil, of: column)
    }

    package mutating func int(_ column: String, _ value: Int?) throws -> Int {
        try required(intIfPresent(column, value), of: column, 0)
    }

    package mutating func intIfPresent(_ column: String, _ value: Int?) throws -> Int? {
        try integerIfPresent(column, value.map(Int64.init)).map { try required(Int(exactly: $0), of: column) }
    }

    package mutating func revision(_ column: String, _ value: UInt64?) throws -> UInt64 {
        try required(UInt64(exactly: integer(column, value.map(Int64.init(clamping:)))), of: column)
    }

    /// A count of bytes, which is not negative.
    package mutating func byteCount(_ column: String, _ value: Int64?) throws -> Int64 {
        let count = try integer(column, value)
        return try required(count >= 0 ? count : nil, of: column)
    }

    package mutating func flag(_ column: String, _ value: Bool?) throws -> Bool {
        try required(flagIfPresent(column, value), of: column, false)
    }

    package mutating func flagIfPresent(_ column: String, _ value: Bool?) throws -> Bool? {
        switch try integerIfPresent(column, value.map { $0 ? 1 : 0 }) {
        case nil: nil
        case 0: false
        case 1: true
        default: try required(nil, of: column)
        }
    }

    package mutating func date(_ column: String, _ value: Date?) throws -> Date {
        try required(dateIfPresent(column, value), of: column, .distantPast)
    }

    /// A point in time, in milliseconds since 1970.
    package mutating func dateIfPresent(_ column: String, _ value: Date?) throws -> Date? {
        try integerIfPresent(column, value?.millisecondsSince1970).map(Date.init(millisecondsSince1970:))
    }

    package mutating func choice<Value: RawRepresentable<Int> & CaseIterable>(
        _ column: String,
        _ value: Value?
    ) throws -> Value {
        try required(choiceIfPresent(column, value), of: column, Value.allCases.first)
    }

    package mutating func choiceIfPresent<Value: RawRepresentable<Int>>(_ column: String, _ value: Value?) throws
        -> Value?
    {
        try intIfPresent(column, value?.rawValue).map { try required(Value(rawValue: $0), of: column) }
    }
}

/// Collects the columns' names, and their values if it is given a row.
package struct ColumnWriter: ColumnCoder {
    private(set) var names: [String] = []
    private(set) var values: [SQLValue] = []
    /// How many of the columns an update does not change; nil for all.
    private(set) var fixed: Int?

    /// The columns that are described, of a table `t`, for a selection.
    package static func selection(_ describe: (inout ColumnWriter) throws -> Void) -> String {
        var writer = ColumnWriter()
        // What has no value to be made of has been named by then.
        try? describe(&writer)
        return writer.names.map { "t.\($0)" }.joined(separator: ", ")
    }

    package mutating func integerIfPresent(_ column: String, _ value: Int64?) -> Int64? {
        append(column, SQLValue(value))
        return value
    }

    package mutating func textIfPresent(_ column: String, _ value: String?) -> String? {
        append(column, SQLValue(value))
        return value
    }

    package mutating func bytesIfPresent(_ column: String, _ value: [UInt8]?) -> [UInt8]? {
        append(column, SQLValue(value))
        return value
    }

    package mutating func uuidIfPresent(_ column: String, _ value: UUID?) -> UUID? {
        append(column, SQLValue(value))
        return value
    }

    package mutating func beginChanging() {
        fixed = names.count
    }

    package func required<Value>(_ value: Value?, of column: String, _ placeholder: Value?) throws -> Value {
        guard let value = value ?? placeholder else {
            throw UnreadableField()
        }
        return value
    }

    private mutating func append(_ column: String, _ value: SQLValue) {
        names.append(column)
        values.append(value)
    }
}

extension Columns: ColumnCoder {
    package mutating func integerIfPresent(_ column: String, _ value: Int64?) throws -> Int64? {
        try integerIfPresent()
    }

    package mutating func textIfPresent(_ column: String, _ value: String?) throws -> String? {
        try textIfPresent()
    }

    package mutating func bytesIfPresent(_ column: String, _ value: [UInt8]?) throws -> [UInt8]? {
        try bytesIfPresent()
    }

    package mutating func uuidIfPresent(_ column: String, _ value: UUID?) throws -> UUID? {
        try uuidIfPresent()
    }

    package func beginChanging() {}

    package func required<Value>(_ value: Value?, of column: String, _ placeholder: Value?) throws -> Value {
        guard let value else {
            throw unreadable(column: column)
        }
        return value
    }
}
