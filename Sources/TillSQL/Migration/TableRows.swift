import FoundationEssentials
import TillModel

/// Reads a table's rows in the order of their keys, a page at a time.
struct TableRows {
    /// The rows that are in memory at once.
    static let page = 500

    let table: LedgerTable
    let connection: any MigratingConnection
    /// Whether the rows go to a database that cannot store U+0000.
    var refusesNUL = false

    /// Calls `body` with the values of each row, in the order of the table's columns.
    ///
    /// - Throws: `dataLoss` for a value that no ledger stores there; `failedPrecondition` for text that the target cannot
    ///   store. Both name the table and the row's key.
    func forEach(_ body: ([SQLValue]) throws -> Void) throws {
        var last: [SQLValue] = []
        var count: Int
        repeat {
            count = 0
            let sql = table.selection(startsAfterKey: !last.isEmpty, limit: Self.page)
            let start = last
            try connection.run(sql, start) { row in
                let values = try values(of: row)
                last = Array(values.prefix(table.keyCount))
                count += 1
                try body(values)
            }
        } while count == Self.page
    }

    private func values(of row: any SQLRow) throws -> [SQLValue] {
        var values: [SQLValue] = []
        values.reserveCapacity(table.columns.count)
        for index in table.columns.indices {
            values.append(try value(of: row, at: index, after: values))
        }
        return values
    }

    /// - Parameter values: Those before it, among them the key.
    private func value(of row: any SQLRow, at index: Int, after values: [SQLValue]) throws -> SQLValue {
        let column = table.columns[index]
        switch (row.kind(ofColumn: index), column.kind) {
        case (.null, _):
            return .null
        case (.integer, .integer):
            return .integer(row.integer(ofColumn: index))
        case (.bytes, .bytes):
            return .bytes(row.bytes(ofColumn: index))
        case (.text, .text):
            return .text(try text(of: row, at: index, after: values))
        case (.text, .bytes):
            // Schemas up to version 12 stored a receipt's body as text where it could not be packed.
            return .bytes(PackedReceipt.bytes(of: try text(of: row, at: index, after: values)))
        default:
            throw TillError.unreadable(row: key(values), of: table.name, column: column.name)
        }
    }

    private func text(of row: any SQLRow, at index: Int, after values: [SQLValue]) throws -> String {
        guard let text = row.text(ofColumn: index) else {
            throw unstorable("is not UTF-8", at: index, after: values)
        }
        guard !refusesNUL || !text.containsNUL else {
            throw unstorable("contains the character U+0000", at: index, after: values)
        }
        return text
    }

    private func unstorable(_ fault: String, at index: Int, after values: [SQLValue]) -> TillError {
        TillError(
            .failedPrecondition,
            """
            Row \(key(values)) of the ledger's table \(table.name) has text in its column \(table.columns[index].name) that \
            \(fault), which the other database cannot store. Keep the ledger where it is.
            """
        )
    }

    private func key(_ values: [SQLValue]) -> String {
        let key = values.prefix(table.keyCount).map(\.text)
        return key.isEmpty ? "without a key" : key.joined(separator: ", ")
    }
}

extension SQLValue {
    /// The value in an error.
    fileprivate var text: String {
        switch self {
        case .null: "null"
        case .integer(let integer): "\(integer)"
        case .text(let text): text
        case .bytes(let bytes): UUID(bytes: bytes)?.text ?? "of \(bytes.count) bytes"
        case .uuid(let uuid): uuid.text
        }
    }
}
