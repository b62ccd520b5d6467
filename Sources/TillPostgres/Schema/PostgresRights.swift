import TillModel
import TillSQL

/// What the daemon's role may do with the rows of each table: what the daemon does, and nothing else.
enum PostgresRights {
    /// A right to the rows of a table, as SQL names it.
    enum Right: String, CaseIterable {
        case select = "SELECT"
        case insert = "INSERT"
        case update = "UPDATE"
        case delete = "DELETE"
    }

    /// Rights to a table that a role lacks.
    struct Lack: Equatable {
        var table: String
        var rights: [Right]
    }

    /// The rights that the daemon needs. Numbers of rows need none: PostgreSQL gives them with the right to insert.
    static func needed(on table: String) -> [Right] {
        switch table {
        // What operators and the provider did is only ever added to.
        case "audit", "simulated_entries": [.select, .insert]
        case "meta": [.select, .update]
        case "application_roles": [.select]
        case "downloads", "events", "host_downloads", "marks", "settings": Right.allCases
        default: [.select, .insert, .update]
        }
    }

    /// What the role lacks of the rights to those of the tables that the schema has.
    static func missing(
        of role: String,
        to tables: [String],
        in schema: String,
        _ connection: PostgresConnection
    ) throws -> [Lack] {
        var lacks: [Lack] = []
        let mayEnter = try connection.text(
            """
            SELECT CAST(nspname AS text) FROM pg_catalog.pg_namespace
            WHERE nspname = ?2 AND has_schema_privilege(CAST(CAST(?1 AS text) AS name), oid, 'USAGE')
            """,
            [SQLValue(role), SQLValue(schema)]
        )
        try connection.run(Self.query, [SQLValue(role), SQLValue(schema)]) { row in
            guard let table = row.text(ofColumn: 0), tables.contains(table) else {
                return
            }
            let granted = (row.text(ofColumn: 1) ?? "").split(separator: " ").map(String.init)
            let rights = needed(on: table).filter { mayEnter == nil || !granted.contains($0.rawValue) }
            if !rights.isEmpty {
                lacks.append(Lack(table: table, rights: rights))
            }
        }
        return lacks
    }

    /// The tables of a schema, each with the rights that a role has.
    private static let query = """
        SELECT CAST(c.relname AS text), concat_ws(' ', \(Right.allCases.map(\.ifGranted).joined(separator: ", ")))
        FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname = ?2 AND c.relkind IN ('r', 'p') ORDER BY c.relname
        """
}

extension PostgresRights.Right {
    fileprivate var ifGranted: String {
        "CASE WHEN has_table_privilege(CAST(CAST(?1 AS text) AS name), c.oid, '\(rawValue)') THEN '\(rawValue)' END"
    }
}
