/// A statement that writes rows of a table, each of which has values of its own. A database that is told of many rows at once
/// needs much less time for each than one that is told of them one after the other.
package struct RowStatement: Sendable {
    package enum Kind: Sendable {
        case insertion
        /// An insertion that replaces a row with the same key.
        case replacement
        case update
        case deletion
    }

    package let kind: Kind
    package let table: String
    /// The columns for which each row has a value, in the order of the values.
    package let columns: [String]
    /// How many of the columns, from the first on, identify the row that an update changes or a deletion removes.
    package let identifyingCount: Int
    /// The statement for one row, with a parameter `?1`, `?2` and so on for each of its values.
    package let sql: String

    package static func insertion(into table: String, _ columns: [String]) -> Self {
        let parameters = columns.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
        let sql = "INSERT INTO \(table) (\(columns.joined(separator: ", "))) VALUES (\(parameters))"
        return Self(kind: .insertion, table: table, columns: columns, identifyingCount: 0, sql: sql)
    }

    static func replacement(in table: String, key: String, _ columns: [String]) -> Self {
        let insertion = insertion(into: table, [key] + columns)
        return Self(
            kind: .replacement,
            table: table,
            columns: insertion.columns,
            identifyingCount: 1,
            sql: insertion.sql + replacing(key, columns)
        )
    }

    /// What an insertion ends with that replaces a row with the same key.
    package static func replacing(_ key: String, _ columns: [String]) -> String {
        let assignments = columns.map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
        return " ON CONFLICT (\(key)) DO UPDATE SET \(assignments)"
    }

    static func update(of table: String, key: String, _ columns: [String]) -> Self {
        let assignments = columns.enumerated().map { "\($0.element) = ?\($0.offset + 2)" }.joined(separator: ", ")
        let sql = "UPDATE \(table) SET \(assignments) WHERE \(key) = ?1"
        return Self(kind: .update, table: table, columns: [key] + columns, identifyingCount: 1, sql: sql)
    }

    static func deletion(from table: String, _ columns: [String]) -> Self {
        let conditions = columns.enumerated().map { "\($0.element) = ?\($0.offset + 1)" }.joined(separator: " AND ")
        let sql = "DELETE FROM \(table) WHERE \(conditions)"
        return Self(kind: .deletion, table: table, columns: columns, identifyingCount: columns.count, sql: sql)
    }
}
