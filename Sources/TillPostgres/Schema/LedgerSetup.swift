import TillModel
import TillSQL

/// Prepares a database for a daemon whose role may change rows alone: the owner's role makes the tables, and grants it that.
package final class LedgerSetup {
    /// One thing that the database needs.
    package struct Step: Hashable, Sendable {
        /// What it is, in words.
        package var title: String
        /// The statements that make it; none if the database has it.
        package var statements: [String]
    }

    /// The longest name that PostgreSQL keeps, in bytes (https://www.postgresql.org/docs/15/sql-syntax-lexical.html).
    private static let roleMaximumBytes = 63

    private let connection: PostgresConnection
    private let schema: String
    private let daemonRole: String?
    private let versions: [[String]]

    /// Connects as the role that owns the tables, or will.
    ///
    /// - Parameters:
    ///   - daemonRole: The role of the daemon; nil if the owner's is also the daemon's.
    /// - Throws: `invalidArgument` for a name that PostgreSQL does not keep, `unavailable` without a connection.
    package convenience init(address: PostgresAddress, daemonRole: String?) throws {
        try self.init(
            address: address.text,
            schema: PostgresLedger.defaultSchema,
            daemonRole: daemonRole,
            versions: PostgresSchema.versions
        )
    }

    init(
        address: String,
        schema: String,
        daemonRole: String?,
        versions: [[String]] = PostgresSchema.versions
    ) throws {
        if let daemonRole, !(1...Self.roleMaximumBytes).contains(daemonRole.utf8.count) || daemonRole.containsNUL {
            throw TillError(.invalidArgument, "Invalid --daemon-role: use 1 to \(Self.roleMaximumBytes) bytes of text.")
        }
        connection = try PostgresConnection(to: address, schema: schema)
        self.schema = schema
        self.daemonRole = daemonRole
        self.versions = versions
    }

    /// What the database needs. Changes nothing.
    ///
    /// - Throws: `failedPrecondition` for a schema that a newer Till made, and for a role that may do more than change rows.
    package func steps() throws -> [Step] {
        var steps = [try tables()]
        if let daemonRole {
            let isThere = try check(daemonRole)
            steps.append(
                Step(
                    title: "the role \(daemonRole)",
                    statements: isThere ? [] : ["CREATE ROLE \(PostgresConnection.quoted(daemonRole)) LOGIN;"]
                )
            )
            steps.append(
                Step(title: "the rights of \(daemonRole)", statements: try grants(to: daemonRole, isThere: isThere))
            )
        }
        return steps
    }

    /// Makes everything that the database lacks, in one transaction.
    ///
    /// - Returns: The steps, of which those with statements were done.
    /// - Throws: As ``steps()``; `permissionDenied` if the owner's role may not make something, and `failedPrecondition` if there
    ///   are tables to make while a daemon uses the ledger.
    @discardableResult
    package func run() throws -> [Step] {
        if try !tables().statements.isEmpty {
            try connection.lockLedger(schema)
        }
        return try connection.inTransaction("BEGIN") {
            let steps = try steps()
            for statement in steps.flatMap(\.statements) {
                try connection.execute(statement)
            }
            return steps
        }
    }

    /// The statements as a script for `psql`; empty if there are none.
    package func script(_ steps: [Step]) -> String {
        let statements = steps.flatMap(\.statements)
        guard !statements.isEmpty else {
            return ""
        }
        let path = "SET LOCAL search_path TO \(PostgresConnection.quoted(schema));"
        return (["BEGIN;", path] + statements + ["COMMIT;"]).joined(separator: "\n")
    }

    private func tables() throws -> Step {
        let found = try PostgresSchema.foundVersion(schema, connection, versions: versions)
        return Step(
            title: "the tables of version \(versions.count) in the schema \(schema)",
            statements: PostgresSchema.statements(schema, after: found, versions: versions)
        )
    }

    /// - Returns: Whether the role exists.
    private func check(_ role: String) throws -> Bool {
        let owner = try connection.role()
        guard role != owner else {
            throw TillError(
                .invalidArgument,
                "The role \(role) makes the tables itself: name another role with --daemon-role, or leave it out."
            )
        }
        let power = try connection.text(
            """
            SELECT CASE WHEN r.rolsuper THEN 'a superuser'
                WHEN pg_has_role(r.oid, current_user, 'MEMBER') THEN 'a member of the role ' || current_user
                WHEN EXISTS (
                    SELECT FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
                    WHERE n.nspname = ?2 AND pg_has_role(r.oid, c.relowner, 'MEMBER')
                ) THEN 'an owner of the ledger''s tables'
                ELSE '' END
            FROM pg_catalog.pg_roles r WHERE r.rolname = ?1
            """,
            [SQLValue(role), SQLValue(schema)]
        )
        guard let power else {
            return false
        }
        guard power.isEmpty else {
            throw TillError(
                .failedPrecondition,
                "The role \(role) is \(power), which may do more than change rows: name another role with --daemon-role."
            )
        }
        return true
    }

    private func grants(to role: String, isThere: Bool) throws -> [String] {
        let made = PostgresSchema.tables(versions)
        let lacks: [PostgresRights.Lack]
        if isThere {
            let kept = try existingTables()
            let missing = try PostgresRights.missing(of: role, to: made, in: schema, connection)
            lacks = missing + made.filter { !kept.contains($0) }.map(PostgresRights.Lack.init(all:))
        } else {
            lacks = made.map(PostgresRights.Lack.init(all:))
        }
        let grantee = PostgresConnection.quoted(role)
        let space = PostgresConnection.quoted(schema)
        guard !lacks.isEmpty else {
            return []
        }
        return ["GRANT USAGE ON SCHEMA \(space) TO \(grantee);"]
            + lacks.map { lack in
                let rights = lack.rights.map(\.rawValue).joined(separator: ", ")
                return "GRANT \(rights) ON \(space).\(lack.table) TO \(grantee);"
            }
    }

    private func existingTables() throws -> Set<String> {
        var names: Set<String> = []
        try connection.run(
            "SELECT CAST(tablename AS text) FROM pg_catalog.pg_tables WHERE schemaname = ?1",
            [SQLValue(schema)]
        ) { names.insert($0.text(ofColumn: 0) ?? "") }
        return names
    }
}

extension PostgresRights.Lack {
    fileprivate init(all table: String) {
        self.init(table: table, rights: PostgresRights.needed(on: table))
    }
}
