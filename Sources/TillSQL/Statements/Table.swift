import TillModel

/// A row of a table of its own, whose columns are described once.
package protocol TableRow {
    static var table: Table<Self> { get }

    /// Describes the columns to the coder.
    ///
    /// - Parameter value: The row to write; nil to read one.
    init(_ coder: inout some ColumnCoder, _ value: Self?) throws
}

/// A table, with the statements that follow from the description of its rows.
package struct Table<Row: TableRow> {
    let name: String
    /// Whether its rows refer to transactions, which therefore have to be written before them.
    let refersToTransactions: Bool
    /// Whether the database gives new rows their keys.
    let givesKeys: Bool
    /// Its columns, separated by commas.
    let columns: String
    /// A parameter for each column.
    let parameters: String
    let insertion: String
    /// Selects the columns of all rows; a condition may follow.
    let selection: String
    /// Sets the columns that may change, of the row with the key that is the first parameter.
    let update: String
    /// The columns that never change, in their order; the first is the key.
    let fixedColumns: [String]
    /// The columns that may change, in their order.
    let changingColumns: [String]

    init(_ name: String, refersToTransactions: Bool = false, givesKeys: Bool = false) {
        var coder = ColumnWriter()
        // What has no value to be made of has been named by then.
        _ = try? Row(&coder, nil)
        let names = coder.names
        let fixed = coder.fixed ?? names.count
        fixedColumns = Array(names.prefix(fixed))
        changingColumns = Array(names.dropFirst(fixed))
        self.name = name
        self.refersToTransactions = refersToTransactions
        self.givesKeys = givesKeys
        columns = names.joined(separator: ", ")
        parameters = names.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
        let key = names.first ?? "key"
        insertion =
            RowStatement.insertion(into: name, Array(names.dropFirst(givesKeys ? 1 : 0))).sql
            + " ON CONFLICT DO NOTHING RETURNING \(key)"
        selection = "SELECT \(columns) FROM \(name)"
        update = RowStatement.update(of: name, key: key, changingColumns).sql
    }

    /// The values for ``insertion``.
    func insertionValues(of row: Row) throws -> [SQLValue] {
        Array(try values(of: row).dropFirst(givesKeys ? 1 : 0))
    }

    /// The values of all columns.
    func values(of row: Row) throws -> [SQLValue] {
        var coder = ColumnWriter()
        _ = try Row(&coder, row)
        return coder.values
    }

    /// The values for ``update``.
    func updateValues(of row: Row) throws -> [SQLValue] {
        let values = try values(of: row)
        return Array(values.prefix(1) + values.dropFirst(fixedColumns.count))
    }
}

extension SQLTransaction {
    /// The rows that meet the condition.
    ///
    /// - Parameter skipsUnreadable: Whether rows that cannot be read are logged and left out.
    func rows<Row: TableRow>(
        of type: Row.Type,
        _ condition: String,
        _ values: [SQLValue],
        skipsUnreadable: Bool = false
    ) throws -> [Row] {
        let sql = "\(Row.table.selection) \(condition)"
        return try rows(of: Row.table.name, sql, values, skipsUnreadable: skipsUnreadable) { try Row(&$0, nil) }
    }

    /// Inserts the row. A commit stays usable if the ledger has a row with its identity already.
    ///
    /// - Throws: `alreadyExists` for such a row.
    func insertRow<Row: TableRow>(_ row: Row) throws {
        _ = try insert(row) { _ in }
    }

    /// Inserts the row, and returns the key that the database gave it.
    ///
    /// - Throws: `alreadyExists` if the ledger has a row with its identity already.
    func insertKeyedRow<Row: TableRow>(_ row: Row) throws -> Int64 {
        try insert(row) { try $0.integer() }
    }

    private func insert<Row: TableRow, Value>(_ row: Row, read: (inout Columns) throws -> Value) throws -> Value {
        let table = Row.table
        if table.refersToTransactions {
            try writeTransactions()
        }
        guard let value = try rows(of: table.name, table.insertion, table.insertionValues(of: row), read: read).first
        else {
            throw TillError(.alreadyExists, "The ledger has a row with this identity already.")
        }
        return value
    }

    /// Writes what may change of the row.
    ///
    /// - Throws: `notFound` with the message when the ledger does not have it.
    func updateRow<Row: TableRow>(_ row: Row, orThrow message: @autoclosure () -> String) throws {
        let table = Row.table
        if table.refersToTransactions {
            try writeTransactions()
        }
        guard try run(table.update, table.updateValues(of: row)) == 1 else {
            throw TillError(.notFound, message())
        }
    }
}
