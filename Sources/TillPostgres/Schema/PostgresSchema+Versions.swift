import FoundationEssentials
import TillEngine
import TillModel
import TillSQL

/// Finds and makes the versions of the tables.
extension PostgresSchema {
    /// Makes the newest version of the tables, unless the schema has it.
    ///
    /// - Throws: `failedPrecondition` for a schema that a newer Till made, and if the session's role may not make the tables or
    ///   may not use them.
    static func createIfMissing(
        _ schema: String,
        _ connection: PostgresConnection,
        versions: [[String]] = versions
    ) throws {
        try connection.inTransaction("BEGIN") {
            let role = try connection.role()
            let found = try foundVersion(schema, connection, versions: versions)
            do {
                for statement in statements(schema, after: found, versions: versions) {
                    try connection.execute(statement)
                }
            } catch let error as TillError where error.code == .permissionDenied {
                let state = found == nil ? "no ledger" : "an older ledger"
                throw TillError(
                    .failedPrecondition,
                    """
                    The database has \(state), and the role \(role) may not change that. Run as the owner: \
                    tilld ledger init --ledger ADDRESS --daemon-role \(role)
                    """,
                    cause: error
                )
            }
        }
    }

    /// The version that the schema has; nil if it has no ledger.
    ///
    /// - Throws: `failedPrecondition` for a version that a newer Till made, for a ledger that was moved or is not complete, and if
    ///   the session's role may not use the tables.
    static func foundVersion(
        _ schema: String,
        _ connection: PostgresConnection,
        versions: [[String]] = versions
    ) throws -> Int? {
        guard try connection.hasTable("meta", in: schema) else {
            return nil
        }
        let role = try connection.role()
        guard try PostgresRights.missing(of: role, to: tables(versions), in: schema, connection).isEmpty else {
            throw TillError(
                .failedPrecondition,
                """
                The role \(role) may not use all tables of the ledger. Run as their owner: \
                tilld ledger init --ledger ADDRESS --daemon-role \(role)
                """
            )
        }
        if let mark = try checkedMark(connection, versions: versions) {
            throw mark.refusal(of: "The ledger in PostgreSQL's schema \(schema)")
        }
        return try Int(exactly: connection.schemaVersion())
    }

    /// The mark of a ledger that is moved or was moved.
    ///
    /// - Throws: `failedPrecondition` for a version that a newer Till made.
    static func checkedMark(_ connection: PostgresConnection, versions: [[String]] = versions) throws -> LedgerMark? {
        let version = try connection.schemaVersion()
        let mark = try SQLTransaction(connection).mark(version: version)
        let plain = LedgerMark.plain(version: version)
        guard plain <= versions.count else {
            throw TillError(
                .failedPrecondition,
                """
                The ledger in PostgreSQL has schema \(plain), made by a newer Till; this one knows schemas up to \
                \(versions.count). Install the newer Till.
                """
            )
        }
        return mark
    }

    /// Refuses a schema without a ledger of the newest version.
    ///
    /// - Throws: `notFound` without a ledger; otherwise as ``foundVersion(_:_:versions:)`` and ``requireNewest(_:)``.
    static func requireLedger(_ schema: String, at address: String, _ connection: PostgresConnection) throws {
        guard let version = try foundVersion(schema, connection) else {
            throw TillError(.notFound, "There is no ledger in \(address): name the database that has it.")
        }
        try requireNewest(Int64(version))
    }

    /// Refuses a version of the tables before the newest.
    static func requireNewest(_ version: Int64) throws {
        guard version == Self.version else {
            throw TillError(
                .failedPrecondition,
                """
                The ledger in PostgreSQL has schema \(version), made by an older Till. Start and stop tilld once, which brings \
                it up to schema \(Self.version).
                """
            )
        }
    }

    /// The statements that make the newest version of the one that was found; none if that is the newest.
    static func statements(
        _ schema: String,
        after found: Int?,
        versions: [[String]] = versions
    ) -> [String] {
        let made = versions.dropFirst(found ?? 0).flatMap(\.self)
        return switch found {
        case nil:
            ["CREATE SCHEMA IF NOT EXISTS \(PostgresConnection.quoted(schema));"] + made
                + identityStatements(version: versions.count)
        case versions.count?:
            []
        default:
            made + ["UPDATE meta SET schema_version = \(versions.count);"]
        }
    }

    /// The names of the tables that the statements make.
    static func tables(_ versions: [[String]] = versions) -> [String] {
        versions.joined().flatMap { $0.matches(of: /CREATE TABLE (\w+)/).map { String($0.output.1) } }
    }

    /// The statements that give a new ledger its identity and the numbers that it begins with.
    private static func identityStatements(version: Int) -> [String] {
        let drawn = LedgerNumbering.drawn()
        let ranges = NumberedKind.allCases.flatMap { kind in
            drawn[keyPath: kind.numbering].ranges.map { "(\(kind.rawValue), \($0.firstKey), \($0.base))" }
        }
        return [
            """
            INSERT INTO meta (single, ledger_id, schema_version, clean)
            VALUES (1, '\(UUID.version7().text)', \(version), 1);
            """,
            "INSERT INTO identifier_ranges (kind, first_key, base) VALUES \(ranges.joined(separator: ", "));",
        ]
    }
}

extension PostgresConnection {
    /// The name of the session's role.
    func role() throws -> String {
        try text("SELECT CAST(current_user AS text)") ?? ""
    }

    func hasTable(_ table: String, in schema: String) throws -> Bool {
        let sql = "SELECT tablename::text FROM pg_catalog.pg_tables WHERE schemaname = ?1 AND tablename = ?2"
        return try text(sql, [SQLValue(schema), SQLValue(table)]) != nil
    }
}
