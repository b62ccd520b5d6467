import ProcessTesting
import Testing

/// What an administrator or an application does in a database, with psql.
extension Site {
    private static let psql = "/usr/bin/psql"

    /// The rows of a query, as psql prints them.
    func query(_ sql: String, at address: String) async throws -> [String] {
        let result = try await result(of: Self.psql, Self.arguments(sql, address))
        #expect(result.exit == .status(0), "\(result.lines)")
        return result.lines
    }

    func startQuery(_ sql: String, at address: String) throws -> ChildProcess {
        try start("psql", Self.psql, Self.arguments(sql, address), log: "psql.log")
    }

    private static func arguments(_ sql: String, _ address: String) -> [String] {
        [
            address, "--no-psqlrc", "--quiet", "--tuples-only", "--no-align", "--set", "ON_ERROR_STOP=1", "--command",
            sql,
        ]
    }
}
