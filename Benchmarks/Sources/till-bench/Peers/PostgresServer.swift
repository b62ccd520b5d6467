import Foundation
import Gauges

/// A PostgreSQL server of a benchmark's own. It refuses to run as root, so it runs as its own user if this program runs as root.
struct PostgresServer {
    static let user = "postgres"
    static let programs = ["initdb", "postgres", "psql", "pg_isready"].map { Program($0, package: "postgresql-15") }

    let run: Run
    /// The folder of its socket.
    let sockets: String
    private let process: Process

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
        process = try run.serve(Command(try run.path(of: "postgres"), arguments, user: Self.user))
        let question = Command(try run.path(of: "pg_isready"), ["--quiet", "--host", sockets])
        try run.wait(for: "PostgreSQL") { try run.workspace.processes.succeeds(question) ? () : nil }
    }

    func execute(_ sql: String, in database: String = "postgres") throws {
        guard try run.workspace.processes.succeeds(psql(sql, database)) else {
            throw BenchError("psql failed: \(sql)")
        }
    }

    /// Runs `body`, and measures the server's processor time for each row that a table has more then, in microseconds.
    func measuringProcessorTime<Value>(
        forRowsOf table: String,
        in database: String = "postgres",
        _ body: () throws -> Value
    ) throws -> (Value, Double) {
        let countBefore = try count(of: table, in: database)
        let timeBefore = try processorTime()
        let value = try body()
        let seconds = try processorTime() - timeBefore
        let rows = try count(of: table, in: database) - countBefore
        return (value, seconds / Double(max(1, rows)) * Self.microsecondsPerSecond)
    }

    private static let microsecondsPerSecond = 1_000_000.0

    private func processorTime() throws -> Double {
        guard let seconds = ProcessTime.seconds(of: process.processIdentifier) else {
            throw BenchError("PostgreSQL has ended.")
        }
        return seconds
    }

    private func count(of table: String, in database: String) throws -> Int {
        let sql = "SELECT count(*) FROM \(table)"
        let output = String(decoding: try run.workspace.processes.output(of: psql(sql, database)), as: UTF8.self)
        guard let count = Int(output.filter { !$0.isWhitespace }) else {
            throw BenchError("psql gave no number: \(sql)")
        }
        return count
    }

    private func psql(_ sql: String, _ database: String) throws -> Command {
        let place = ["--host", sockets, "--username", Self.user, "--dbname", database]
        return Command(
            try run.path(of: "psql"),
            place + ["--no-psqlrc", "--tuples-only", "--no-align", "--command", sql]
        )
    }
}
