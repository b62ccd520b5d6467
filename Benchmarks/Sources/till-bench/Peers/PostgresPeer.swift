/// A plain table in PostgreSQL.
struct PostgresPeer: Peer {
    let name = "postgresql"
    let scenarios: Set<Scenario> = [.adds]
    let programs = PostgresServer.programs

    func prepare(_ workspace: Workspace) throws {
        try PostgresServer.prepare(workspace)
    }

    func promise(in scenario: Scenario) -> String {
        "answers once the row's transaction is flushed to its log on disk (synchronous_commit=on), unique by key"
    }

    func start(_ run: Run) throws -> Command {
        try Self.command(run, PostgresServer(run))
    }

    static let table = "payments"

    /// The client of a server, with a new table.
    static func command(_ run: Run, _ server: PostgresServer) throws -> Command {
        try server.execute("DROP TABLE IF EXISTS \(table)")
        try server.execute("CREATE TABLE \(table) (id uuid PRIMARY KEY, payload bytea NOT NULL)")
        return try run.load("postgres-insert", at: "\(server.sockets)/.s.PGSQL.5432")
    }
}
