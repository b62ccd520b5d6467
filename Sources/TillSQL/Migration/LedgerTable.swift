package import TillModel

/// A table of a ledger, as its database describes it.
///
/// A migration asks the databases for their tables instead of listing them, so that it forgets none.
package struct LedgerTable: Hashable, Sendable {
    /// What a column holds.
    package enum Kind: Hashable, Sendable {
        case integer
        case text
        /// Bytes or an identity.
        case bytes
    }

    package struct Column: Hashable, Sendable {
        package var name: String
        package var kind: Kind
    }

    /// A column with its place in the primary key, from 1 on; 0 for a column outside it.
    package struct Description: Sendable {
        var table: String
        var column: Column
        var keyPosition: Int
    }

    /// The table that a database keeps about its ledger in its own way: the identity, the version of the schema.
    package static let identity = "meta"

    package let name: String
    /// The columns of the primary key in its order, then the others by name: the same order in every database.
    package let columns: [Column]
    package let keyCount: Int

    /// The columns, separated by commas.
    package var columnList: String {
        columns.map(\.name).joined(separator: ", ")
    }

    /// Selects rows in the order of their keys.
    ///
    /// - Parameter startsAfterKey: Whether only rows after the key that is given as parameters are selected.
    func selection(startsAfterKey: Bool, limit: Int) -> String {
        let key = columns.prefix(keyCount).map(\.name).joined(separator: ", ")
        let parameters = (1...max(1, keyCount)).map { "?\($0)" }.joined(separator: ", ")
        let condition = startsAfterKey ? "WHERE (\(key)) > (\(parameters)) " : ""
        return "SELECT \(columnList) FROM \(name) \(condition)ORDER BY \(key) LIMIT \(limit)"
    }

    /// The tables, ordered so that rows refer only to rows of earlier tables.
    ///
    /// - Parameter references: The names of the tables that each table refers to.
    /// - Throws: `failedPrecondition` for a table without a primary key.
    package static func ordered(_ descriptions: [Description], references: [String: Set<String>]) throws(TillError)
        -> [LedgerTable]
    {
        var open: [LedgerTable] = []
        for (name, columns) in Dictionary(grouping: descriptions, by: \.table).sorted(by: { $0.key < $1.key }) {
            open.append(try LedgerTable(name, columns))
        }
        var ordered: [LedgerTable] = []
        while !open.isEmpty {
            let names = Set(open.map(\.name))
            let next = open.firstIndex { (references[$0.name] ?? []).subtracting([$0.name]).isDisjoint(with: names) }
            // Tables that refer to each other in a circle would be refused by the database.
            ordered.append(open.remove(at: next ?? 0))
        }
        return ordered
    }

    private init(_ name: String, _ columns: [Description]) throws(TillError) {
        let key = columns.filter { $0.keyPosition > 0 }.sorted { $0.keyPosition < $1.keyPosition }
        guard !key.isEmpty else {
            throw TillError(.failedPrecondition, "The table \(name) has no primary key: it is not one of a ledger.")
        }
        let others = columns.filter { $0.keyPosition == 0 }.sorted { $0.column.name < $1.column.name }
        self.name = name
        self.columns = (key + others).map(\.column)
        keyCount = key.count
    }
}

extension SQLTransaction {
    /// Reads descriptions of columns: the table's name, the column's, its type's and its place in the primary key.
    ///
    /// - Parameter kind: What a column of the type holds; nil for a type that no ledger has.
    package func descriptions(
        _ sql: String,
        kind: (String) -> LedgerTable.Kind?
    ) throws -> [LedgerTable.Description] {
        try rows(of: "columns", sql, []) { columns in
            let (table, column, type) = (try columns.text(), try columns.text(), try columns.text())
            guard let kind = kind(type) else {
                throw TillError(
                    .failedPrecondition,
                    "The column \(column) of the table \(table) has the type \(type): it is not one of a ledger."
                )
            }
            return LedgerTable.Description(
                table: table,
                column: LedgerTable.Column(name: column, kind: kind),
                keyPosition: try columns.int("key", nil)
            )
        }
    }

    /// Reads pairs of a table and one that it refers to.
    package func references(_ sql: String) throws -> [String: Set<String>] {
        let pairs = try rows(of: "references", sql, []) { (try $0.text(), try $0.text()) }
        return Dictionary(pairs.map { ($0, [$1]) }) { $0.union($1) }
    }

    /// Reads pairs of a table and a number.
    package func numbers(_ sql: String) throws -> [String: Int64] {
        let pairs = try rows(of: "sequences", sql, []) { (try $0.text(), try $0.integer()) }
        return Dictionary(pairs) { max($0, $1) }
    }
}
