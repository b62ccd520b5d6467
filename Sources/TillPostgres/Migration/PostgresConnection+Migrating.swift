import TillModel
import TillSQL

extension PostgresConnection: MigratingConnection {
    /// Begins a query on the columns of the ledger's tables and their names `t.relname`.
    private static let tablesOfSchema = """
        FROM pg_catalog.pg_class t
        JOIN pg_catalog.pg_namespace n ON n.oid = t.relnamespace AND n.nspname = current_schema() AND t.relkind IN ('r', 'p')
        """

    /// Tables that other places have in a way of their own, or do not have.
    private static let excludedTables = ([LedgerTable.identity] + PostgresSchema.ownTables)
        .map(literal).joined(separator: ", ")

    func ledgerTables() throws -> [LedgerTable] {
        let rows = SQLTransaction(self)
        let descriptions = try rows.descriptions(
            """
            SELECT CAST(t.relname AS text), CAST(a.attname AS text), CAST(y.typname AS text),
                CAST(coalesce(array_position(CAST(i.indkey AS int2[]), a.attnum) + 1, 0) AS bigint)
            \(Self.tablesOfSchema)
            JOIN pg_catalog.pg_attribute a ON a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped
            JOIN pg_catalog.pg_type y ON y.oid = a.atttypid
            LEFT JOIN pg_catalog.pg_index i ON i.indrelid = t.oid AND i.indisprimary
            WHERE t.relname NOT IN (\(Self.excludedTables))
            """
        ) { type in
            switch type {
            case "int8": .integer
            case "text": .text
            case "bytea", "uuid": .bytes
            default: nil
            }
        }
        let references = try rows.references(
            """
            SELECT CAST(t.relname AS text), CAST(o.relname AS text)
            \(Self.tablesOfSchema)
            JOIN pg_catalog.pg_constraint k ON k.conrelid = t.oid AND k.contype = 'f'
            JOIN pg_catalog.pg_class o ON o.oid = k.confrelid
            """
        )
        return try LedgerTable.ordered(descriptions, references: references)
    }

    func insertRows(into table: LedgerTable, _ body: (_ insert: ([SQLValue]) throws -> Void) throws -> Void) throws {
        try copy("COPY \(table.name) (\(table.columnList)) FROM STDIN (FORMAT binary)", body)
    }

    func removeRows(of tables: [LedgerTable]) throws {
        try execute("TRUNCATE \(tables.map(\.name).joined(separator: ", ")) RESTART IDENTITY")
    }

    func lastKeys() throws -> [String: Int64] {
        try SQLTransaction(self).numbers(
            """
            SELECT CAST(t.relname AS text), coalesce(pg_sequence_last_value(CAST(\(Self.sequence("t.relname")) AS regclass)), 0)
            \(Self.tablesOfSchema)
            JOIN pg_catalog.pg_attribute a ON a.attrelid = t.oid AND a.attname = 'key' AND a.attidentity <> ''
            """
        )
    }

    func continueKeys(of table: String, after key: Int64) throws {
        guard key > 0 else {
            return
        }
        try run(
            "SELECT setval(CAST(\(Self.sequence("CAST(?1 AS text)")) AS regclass), ?2)",
            [SQLValue(table), SQLValue(key)]
        ) {
            _ in
        }
    }

    func schemaVersion() throws -> Int64 {
        try SQLTransaction(self).rows(of: "meta", "SELECT schema_version FROM meta", []) { try $0.integer() }.first ?? 0
    }

    func setSchemaVersion(_ version: Int64) throws {
        try run("UPDATE meta SET schema_version = ?1", [SQLValue(version)]) { _ in }
    }

    /// The sequence that gives the keys of a table.
    private static func sequence(_ table: String) -> String {
        "pg_get_serial_sequence(format('%I.%I', current_schema(), \(table)), 'key')"
    }
}
