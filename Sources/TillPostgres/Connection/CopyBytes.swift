import TillModel
import TillSQL

/// The pieces of a binary `COPY` (https://www.postgresql.org/docs/15/sql-copy.html#id-1.9.3.55.9.4).
enum CopyBytes {
    /// The signature, no flags, and no extension.
    static let header = Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0] + [UInt8](repeating: 0, count: 8)
    /// What stands where a row has the count of its columns: -1.
    static let trailer: [UInt8] = [0xFF, 0xFF]

    /// - Throws: `invalidArgument` for text with U+0000, which PostgreSQL cannot store.
    static func row(_ values: [SQLValue]) throws(TillError) -> [UInt8] {
        var row = PostgresBytes()
        row.append(Int16(clamping: values.count))
        for value in values {
            try row.appendWithLength(value)
        }
        return row.bytes
    }
}
