import Foundation

/// A PostgreSQL server of a benchmark's own. It refuses to run as root, so it runs as its own user if this program runs as root.
struct PostgresServer {
    static let user = "postgres"
    static let programs = ["initdb", "postgres", "psql", "pg_isready"].map { Program($0, package: "postgresql-15") }

    let run: Run
    /// The folder of its socket.
    let sockets: String

    private static func data(_ workspace: Workspace) throws -> String {
        try workspace.makeFolder("postgres", in: workspace.states, owner: user).appendingPathComponent("data").path
    }

    /// Creates the cluster, which takes longer than a run.
    static func prepare(_ workspace: Workspace) throws {
        let data = try data(workspace)
        guard !FileManager.default.fileExists(atPath: data) else {
            return
        }
        let arguments = ["--pgdata", data, "--auth", "trust", "--username", user, "--no-sync"]
        let command = Command(try workspace.tools.required("initdb"), arguments, user: user)
        guard try workspace.processes.succeeds(command) else {
            throw BenchError("initdb failed in \(data).")
        }
    }

    /// Starts the server, and returns when it accepts connections.
    init(_ run: Run) throws {
        self.run = run
        sockets = try run.workspace.makeFolder("postgres", in: run.sockets, owner: Self.user).path
        let settings = ["synchronous_commit=on", "fsync=on", "max_connections=400", "listen_addresses="]
        let arguments = ["-D", try Self.data(run.workspace), "-k", sockets] + settings.flatMap { ["-c", $0] }
        try run.serve(Command(try run.path(of: "postgres"), arguments, user: Self.user))
        let question = Command(try run.path(of: "pg_isready"), ["--quiet", "--host", sockets])
        try run.wait(for: "PostgreSQL") { try run.workspace.processes.succeeds(question) ? () : nil }
    }

    func execute(_ sql: String) throws {
        let statement = ["--host", sockets, "--username", Self.user, "--no-psqlrc", "--command", sql]
        guard try run.workspace.processes.succeeds(Command(try run.path(of: "psql"), statement)) else {
            throw BenchError("psql failed: \(sql)")
        }
    }
}
