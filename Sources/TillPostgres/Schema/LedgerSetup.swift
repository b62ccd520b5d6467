import TillModel
import TillSQL

/// Prepares a database for a daemon whose role may change rows alone, and for applications that finish their transactions in it:
/// the owner's role makes the tables, and grants both what they need.
package final class LedgerSetup {
    /// One thing that the database needs.
    package struct Step: Hashable, Sendable {
        /// What it is, in words.
        package var title: String
        /// The statements that make it; none if the database has it.
        package var statements: [String]
        /// Whether a daemon must not run while it is made.
        var needsLedger = false
    }

    /// The longest name that PostgreSQL keeps, in bytes (https://www.postgresql.org/docs/15/sql-syntax-lexical.html).
    private static let roleMaximumBytes = 63

    private let connection: PostgresConnection
    private let schema: String
    private let daemonRole: String?
    private let applicationRoles: [ApplicationRole]
    private let versions: [[String]]

    /// Connects as the role that owns the tables, or will.
    ///
    /// - Parameters:
    ///   - daemonRole: The role of the daemon; nil if the owner's is also the daemon's.
    ///   - applicationRoles: The roles that may finish transactions of applications.
    /// - Throws: `invalidArgument` for a name that PostgreSQL does not keep, `unavailable` without a connection.
    package convenience init(
        address: PostgresAddress,
        daemonRole: String?,
        applicationRoles: [ApplicationRole] = []
    ) throws {
        try self.init(
            address: address.text,
            schema: PostgresLedger.defaultSchema,
            daemonRole: daemonRole,
            applicationRoles: applicationRoles
        )
    }

    init(
        address: String,
        schema: String,
        daemonRole: String?,
        applicationRoles: [ApplicationRole] = [],
        versions: [[String]] = PostgresSchema.versions
    ) throws {
        try daemonRole.map { try Self.validate($0, "--daemon-role") }
        try applicationRoles.forEach { try Self.validate($0.role, "--application-role") }
        connection = try PostgresConnection(to: address, schema: schema)
        self.schema = schema
        self.daemonRole = daemonRole
        self.applicationRoles = applicationRoles
        self.versions = versions
    }

    private static func validate(_ role: String, _ option: String) throws(TillError) {
        guard (1...roleMaximumBytes).contains(role.utf8.count), !role.containsNUL else {
            throw TillError(.invalidArgument, "Invalid \(option): name a role in 1 to \(roleMaximumBytes) bytes.")
        }
    }

    /// What the database needs. Changes nothing.
    ///
    /// - Throws: `failedPrecondition` for a schema that a newer Till made, and for a role that may do more than change rows.
    package func steps() throws -> [Step] {
        var steps = [try tables()]
        if let daemonRole {
            let isThere = try check(daemonRole, "--daemon-role")
            steps.append(Self.role(daemonRole, isThere: isThere))
            steps.append(
                Step(title: "the rights of \(daemonRole)", statements: try grants(to: daemonRole, isThere: isThere))
            )
        }
        return steps + (try applicationSteps())
    }

    /// What the applications' roles need, each role once.
    private func applicationSteps() throws -> [Step] {
        var steps: [Step] = []
        var roles: [String: Bool] = [:]
        let hasFinishes = try connection.hasTable("finishes", in: schema)
        var sharesFinishes = try hasFinishes && connection.sharesFinishes()
        for wanted in applicationRoles {
            let isThere = try roles[wanted.role] ?? check(wanted.role, "--application-role")
            if roles.updateValue(isThere, forKey: wanted.role) == nil {
                steps.append(Self.role(wanted.role, isThere: isThere))
            }
            let isGranted = try isThere && hasFinishes && connection.mayFinish(wanted)
            var statements = isGranted ? [] : wanted.grants(in: schema)
            if !sharesFinishes {
                statements.append(Self.sharing)
                sharesFinishes = true
            }
            let title = "the right of \(wanted.role) to finish transactions of \(wanted.application)"
            steps.append(Step(title: title, statements: statements, needsLedger: statements.contains(Self.sharing)))
        }
        return steps
    }

    private static func role(_ name: String, isThere: Bool) -> Step {
        Step(
            title: "the role \(name)",
            statements: isThere ? [] : ["CREATE ROLE \(PostgresConnection.quoted(name)) LOGIN;"]
        )
    }

    /// Makes daemons keep finishes where applications see them. A daemon that does not know that yet must not commit any more.
    private static let sharing =
        "UPDATE meta SET shares_finishes = 1, fence = fence + 1, lone_openings = lone_openings + 1;"

    /// Makes everything that the database lacks, in one transaction.
    ///
    /// - Returns: The steps, of which those with statements were done.
    /// - Throws: As ``steps()``; `permissionDenied` if the owner's role may not make something, and `failedPrecondition` while a
    ///   daemon uses the ledger if there are tables to make, or if no application could finish transactions before.
    @discardableResult
    package func run() throws -> [Step] {
        if try steps().contains(where: \.needsLedger) {
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
        let path = "SET LOCAL search_path TO \(PostgresConnection.searchPath(schema));"
        return (["BEGIN;", path] + statements + ["COMMIT;"]).joined(separator: "\n")
    }

    private func tables() throws -> Step {
        let found = try PostgresSchema.foundVersion(schema, connection, versions: versions)
        let statements = PostgresSchema.statements(schema, after: found, versions: versions)
        return Step(
            title: "the tables of version \(versions.count) in the schema \(schema)",
            statements: statements,
            needsLedger: !statements.isEmpty
        )
    }

    /// - Returns: Whether the role exists.
    private func check(_ role: String, _ option: String) throws -> Bool {
        let owner = try connection.role()
        guard role != owner else {
            throw TillError(
                .invalidArgument,
                "The role \(role) makes the tables itself: name another role with \(option), or leave it out."
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
                "The role \(role) is \(power), which may do more than it needs: name another role with \(option)."
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
