import TillModel
import TillSQL

extension SQLiteConnection: MigratingConnection {
    /// The ledger's tables, named `t.name`, beside those that SQLite and GRDB keep.
    private static let tables = """
        sqlite_schema t WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite!_%' ESCAPE '!'
            AND t.name NOT IN ('\(LedgerTable.identity)', 'grdb_migrations')
        """

    func ledgerTables() throws -> [LedgerTable] {
        let rows = SQLTransaction(self)
        let descriptions = try rows.descriptions(
            "SELECT t.name, c.name, c.type, c.pk FROM pragma_table_info(t.name) c, \(Self.tables)"
        ) { type in
            switch type {
            case "INTEGER": .integer
            case "TEXT": .text
            // A receipt, which older schemas stored as text or as bytes.
            case "BLOB", "ANY": .bytes
            default: nil
            }
        }
        let references = try rows.references(
            "SELECT t.name, r.\"table\" FROM pragma_foreign_key_list(t.name) r, \(Self.tables)"
        )
        return try LedgerTable.ordered(descriptions, references: references)
    }

    func insertRows(into table: LedgerTable, _ body: (_ insert: ([SQLValue]) throws -> Void) throws -> Void) throws {
        let insertion = RowStatement.insertion(into: table.name, table.columns.map(\.name))
        try body { try write($0, with: insertion) }
    }

    func removeRows(of tables: [LedgerTable]) throws {
        for table in tables.reversed() {
            try run("DELETE FROM \(table.name)", []) { _ in }
        }
    }

    /// Without `AUTOINCREMENT`, SQLite gives the key after the highest that a row has.
    func lastKeys() throws -> [String: Int64] {
        let rows = SQLTransaction(self)
        var keys = try rows.numbers("SELECT name, seq FROM sqlite_sequence")
        for table in try ledgerTables() where table.columns.first?.name == "key" {
            let sql = "SELECT '\(table.name)', coalesce(max(key), 0) FROM \(table.name)"
            keys.merge(try rows.numbers(sql)) { max($0, $1) }
        }
        return keys
    }

    func continueKeys(of table: String, after key: Int64) throws {
        try run("UPDATE sqlite_sequence SET seq = max(seq, ?2) WHERE name = ?1", [SQLValue(table), SQLValue(key)]) {
            _ in
        }
        try run(
            """
            INSERT INTO sqlite_sequence (name, seq) SELECT name, ?2 FROM sqlite_schema
            WHERE name = ?1 AND sql LIKE '%AUTOINCREMENT%' AND name NOT IN (SELECT name FROM sqlite_sequence)
            """,
            [SQLValue(table), SQLValue(key)]
        ) { _ in }
    }

    func schemaVersion() throws -> Int64 {
        try SQLTransaction(self).rows(of: "user_version", "PRAGMA user_version", []) { try $0.integer() }.first ?? 0
    }

    func setSchemaVersion(_ version: Int64) throws {
        try run("PRAGMA user_version = \(version)", []) { _ in }
    }
}
