import Foundation

/// PostgreSQL. It refuses to run as root, so it runs as its own user if this program runs as root.
struct PostgresPeer: Peer {
    private static let user = "postgres"
    private static let tries = 1000
    private static let pause = 0.01

    let name = "postgresql"
    let scenarios: Set<Scenario> = [.adds]
    let programs = ["initdb", "postgres", "psql", "pg_isready"].map { Program($0, package: "postgresql-15") }

    private func folder(_ workspace: Workspace) throws -> URL {
        try workspace.makeFolder("postgres", in: workspace.states, owner: Self.user)
    }

    /// Creates the cluster, which takes longer than a run.
    func prepare(_ workspace: Workspace) throws {
        let data = try folder(workspace).appendingPathComponent("data").path
        let program = try workspace.tools.required("initdb")
        let arguments = ["--pgdata", data, "--auth", "trust", "--username", Self.user, "--no-sync"]
        guard try workspace.processes.succeeds(Command(program, arguments, user: Self.user)) else {
            throw BenchError("initdb failed in \(data).")
        }
    }

    func promise(in scenario: Scenario) -> String {
        "answers once the row's transaction is flushed to its log on disk (synchronous_commit=on), unique by key"
    }

    func start(_ run: Run) throws -> Command {
        let data = try folder(run.workspace).appendingPathComponent("data").path
        let sockets = try run.workspace.makeFolder("postgres", in: run.sockets, owner: Self.user).path
        let settings = ["synchronous_commit=on", "fsync=on", "max_connections=400", "listen_addresses="]
        let arguments = ["-D", data, "-k", sockets] + settings.flatMap { ["-c", $0] }
        try run.serve(Command(try run.path(of: "postgres"), arguments, user: Self.user))
        try waitUntilReady(run, sockets)
        let table = """
            DROP TABLE IF EXISTS payments; CREATE TABLE payments (id uuid PRIMARY KEY, payload bytea NOT NULL)
            """
        let statement = ["--host", sockets, "--username", Self.user, "--no-psqlrc", "--command", table]
        guard try run.workspace.processes.succeeds(Command(try run.path(of: "psql"), statement)) else {
            throw BenchError("psql could not create the table.")
        }
        return try run.load("postgres-insert", at: "\(sockets)/.s.PGSQL.5432")
    }

    private func waitUntilReady(_ run: Run, _ sockets: String) throws {
        let question = Command(try run.path(of: "pg_isready"), ["--quiet", "--host", sockets])
        for _ in 0..<Self.tries {
            if try run.workspace.processes.succeeds(question) {
                return
            }
            Thread.sleep(forTimeInterval: Self.pause)
        }
        throw BenchError("PostgreSQL did not start.")
    }
}
