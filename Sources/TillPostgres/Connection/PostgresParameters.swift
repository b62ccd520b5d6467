import FoundationEssentials
import TillModel
import TillSQL

/// The values of a statement, in PostgreSQL's binary format.
struct PostgresParameters {
    private var written = PostgresBytes()
    /// The length of each value; -1 for null.
    private(set) var lengths: [CInt] = []

    init() {}

    /// - Throws: `invalidArgument` for text with U+0000, which PostgreSQL cannot store.
    init(_ values: [SQLValue]) throws(TillError) {
        for value in values {
            try lengths.append(written.append(value))
        }
    }

    /// An array for each column, of the rows' values for it (array_send, arrayfuncs.c).
    ///
    /// - Parameter values: One row after the other.
    /// - Throws: As ``init(_:)``.
    init(columns types: [PostgresType], ofRows values: [SQLValue]) throws(TillError) {
        let count = types.isEmpty ? 0 : values.count / types.count
        for (index, type) in types.enumerated() {
            let start = written.bytes.count
            let dimensions: Int32 = 1
            let mayHaveNulls: Int32 = 1
            let lowerBound: Int32 = 1
            for number in [dimensions, mayHaveNulls, type.rawValue, Int32(clamping: count), lowerBound] {
                written.append(number)
            }
            for row in 0..<count {
                try written.appendWithLength(values[row * types.count + index])
            }
            lengths.append(CInt(clamping: written.bytes.count - start))
        }
    }

    /// One value after the other.
    var bytes: [UInt8] {
        written.bytes
    }
}

/// Values in PostgreSQL's binary format, one after the other.
struct PostgresBytes {
    private(set) var bytes: [UInt8] = []

    mutating func append(_ integer: some FixedWidthInteger) {
        bytes += Self.bigEndianBytes(of: integer)
    }

    /// Appends a value; returns the count of its bytes, -1 for null.
    ///
    /// - Throws: `invalidArgument` for text with U+0000, which PostgreSQL cannot store.
    mutating func append(_ value: SQLValue) throws(TillError) -> CInt {
        let start = bytes.count
        switch value {
        case .null:
            return -1
        case .integer(let integer):
            append(integer)
        case .text(let text):
            guard !text.containsNUL else {
                throw TillError(.invalidArgument, "PostgreSQL cannot store text with the character U+0000.")
            }
            bytes += text.utf8
        case .bytes(let value):
            bytes += value
        case .uuid(let uuid):
            bytes += uuid.bytes
        }
        return CInt(clamping: bytes.count - start)
    }

    /// Appends the count of a value's bytes, and the value.
    ///
    /// - Throws: As ``append(_:)``.
    mutating func appendWithLength(_ value: SQLValue) throws(TillError) {
        let place = bytes.count
        append(Int32(0))
        let length = Int32(clamping: try append(value))
        bytes.replaceSubrange(place..<place + 4, with: Self.bigEndianBytes(of: length))
    }

    private static func bigEndianBytes(of integer: some FixedWidthInteger) -> [UInt8] {
        stride(from: integer.bitWidth - 8, through: 0, by: -8).map { UInt8(truncatingIfNeeded: integer >> $0) }
    }
}

/// A type of a ledger's columns, by the number that PostgreSQL has for it and never changes
/// (https://www.postgresql.org/docs/15/catalog-pg-type.html).
enum PostgresType: Int32 {
    case bytea = 17
    case bigint = 20
    case text = 25
    case uuid = 2950
}
