package import TillModel
import TillSQL

/// A role of the database that may finish an application's transactions there.
package struct ApplicationRole: Hashable, Sendable {
    package let role: String
    package let application: String

    /// - Parameter text: `ROLE=APPLICATION`.
    /// - Throws: `invalidArgument` for other text.
    package init(_ text: String) throws(TillError) {
        let parts = text.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, !parts[0].isEmpty, Identifier.isValid(parts[1]) else {
            throw TillError(
                .invalidArgument,
                "Invalid --application-role: use ROLE=APPLICATION, such as shop=org.example.shop."
            )
        }
        role = parts[0]
        application = parts[1]
    }

    /// The statements that grant it what it needs, repeatable.
    func grants(in schema: String) -> [String] {
        let grantee = PostgresConnection.quoted(role)
        let space = PostgresConnection.quoted(schema)
        let values = [role, application].map(PostgresConnection.literal).joined(separator: ", ")
        return [
            "GRANT USAGE ON SCHEMA \(space) TO \(grantee);",
            "GRANT EXECUTE ON FUNCTION \(space).finish(uuid) TO \(grantee);",
            "INSERT INTO \(space).application_roles (role, application) VALUES (\(values)) ON CONFLICT DO NOTHING;",
        ]
    }
}

extension PostgresConnection {
    /// Whether an existing role has everything that it needs in a ledger with the tables of finishes.
    func mayFinish(_ wanted: ApplicationRole) throws -> Bool {
        let found = try text(
            """
            SELECT role FROM application_roles WHERE role = ?1 AND application = ?2
                AND has_schema_privilege(CAST(CAST(?1 AS text) AS name), current_schema(), 'USAGE')
                AND has_function_privilege(CAST(CAST(?1 AS text) AS name), 'finish(uuid)', 'EXECUTE')
            """,
            [SQLValue(wanted.role), SQLValue(wanted.application)]
        )
        return found != nil
    }
}
