@testable import TillPostgres
@testable import TillSQL

/// Asks for the plan of each statement before it runs.
final class ExplainingConnection: SQLConnection {
    private let session: PostgresConnection
    private(set) var plans: [String] = []

    init(_ session: PostgresConnection) {
        self.session = session
    }

    var dialect: SQLDialect {
        session.dialect
    }

    func run(_ sql: String, _ values: [SQLValue], _ body: (any SQLRow) throws -> Void) throws -> Int {
        try explain(sql, values)
        return try session.run(sql, values, body)
    }

    func write(_ values: [SQLValue], with statement: RowStatement) throws {
        var sql = try statement.sql(session.types(of: statement))
        // The plan for as many rows as a commit may have.
        sql.replace(/\?[0-9]+::([a-z]+)\[\]/) { "array_fill(NULL::\($0.output.1), ARRAY[64])" }
        try explain(sql, [])
        try session.write(values, with: statement)
    }

    private func explain(_ sql: String, _ values: [SQLValue]) throws {
        var lines: [String] = []
        try session.run("EXPLAIN \(sql)", values) { lines.append($0.text(ofColumn: 0) ?? "") }
        plans.append(lines.joined(separator: "\n"))
    }
}
