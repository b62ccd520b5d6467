import TillCrypto
import TillModel

/// A table's rows in one number each: how many there are, and a hash of them, which is the same in all databases.
///
/// The hash is SHA-256 of the names of the columns and then of all rows in the order of their keys. A name or text is 3, its
/// length in 8 bytes, and its UTF-8; a null is 0; an integer is 1 and 8 bytes; other bytes are 2, their length in 8 bytes, and
/// the bytes. Numbers are big-endian in two's complement.
package struct TableDigest: Hashable, Sendable {
    package let table: String
    package let rowCount: Int
    package let sha256: [UInt8]

    /// Reads the rows of a table.
    init(of rows: TableRows, _ progress: (Int) -> Void) throws {
        var builder = Builder(rows.table)
        try rows.forEach { values in
            builder.add(values)
            progress(builder.rowCount)
        }
        self = builder.digest
    }

    private init(table: String, rowCount: Int, sha256: [UInt8]) {
        self.table = table
        self.rowCount = rowCount
        self.sha256 = sha256
    }

    /// Makes a digest of rows that come one after the other.
    struct Builder {
        private let table: String
        private(set) var rowCount = 0
        private var hasher = SHA256Hasher()
        private var bytes: [UInt8] = []

        init(_ table: LedgerTable) {
            self.table = table.name
            hash(table.columns.map { .text($0.name) })
        }

        mutating func add(_ row: [SQLValue]) {
            rowCount += 1
            hash(row)
        }

        var digest: TableDigest {
            TableDigest(table: table, rowCount: rowCount, sha256: hasher.digest.bytes)
        }

        private mutating func hash(_ values: [SQLValue]) {
            bytes.removeAll(keepingCapacity: true)
            values.forEach { append($0) }
            hasher.update(bytes)
        }

        private mutating func append(_ value: SQLValue) {
            switch value {
            case .null:
                bytes.append(0)
            case .integer(let integer):
                bytes.append(1)
                append(integer)
            case .bytes(let value):
                append(2, value)
            case .uuid(let uuid):
                append(2, uuid.bytes)
            case .text(let text):
                append(3, text.utf8)
            }
        }

        private mutating func append(_ kind: UInt8, _ value: some Collection<UInt8>) {
            bytes.append(kind)
            append(Int64(value.count))
            bytes += value
        }

        private mutating func append(_ integer: Int64) {
            let bits = UInt64(bitPattern: integer)
            bytes += stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: bits >> $0) }
        }
    }
}
