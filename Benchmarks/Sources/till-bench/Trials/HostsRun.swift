import Foundation

/// Daemons that keep their payments in one PostgreSQL server, from their start to their end.
struct HostsRun {
    private static let database = "till"
    /// It is built with the daemon.
    private static let standIn = "till-stripe-stand-in"
    private static let key = "rk_test_bench"

    /// Which daemons run.
    struct Daemons {
        /// Nil for one daemon that shares the ledger with no other.
        var hosts: Int?
        /// Whether PostgreSQL passes on what hosts tell each other.
        var hasNotifications = true

        var names: [String] {
            (1...(hosts ?? 1)).map { "host\($0)" }
        }
    }

    /// What clients have measured while they added payments, or inserted rows.
    struct Adds {
        /// Those of all clients.
        var perSecond: Double
        /// Of one daemon's clients, or of the server's.
        var latencies: Figures
        /// The server's processor time for one, in microseconds.
        var processorTime: Double
    }

    private let run: Run
    private let tilld: Tilld
    private let server: PostgresServer
    private let daemons: Daemons

    /// - Parameter connections: Those of each daemon.
    static func measure<Value>(
        _ workspace: Workspace,
        _ tilld: Tilld,
        _ daemons: Daemons,
        connections: Int,
        _ body: (HostsRun) throws -> Value
    ) throws -> Value {
        let run = try Run(workspace, .adds, Shape(connections, 1))
        defer { run.end() }
        return try body(HostsRun(run, tilld, daemons))
    }

    private init(_ run: Run, _ tilld: Tilld, _ daemons: Daemons) throws {
        self.run = run
        self.tilld = tilld
        self.daemons = daemons
        server = try PostgresServer(run)
        try server.execute("DROP DATABASE IF EXISTS \(Self.database)")
        try server.execute("CREATE DATABASE \(Self.database)")
        if !daemons.hasNotifications {
            // In this database alone. The daemons' attempts to notify fail.
            try server.execute("ALTER FUNCTION pg_notify(text, text) RENAME TO pg_notify_off", in: Self.database)
        }
        let options =
            ["--ledger", "postgresql:///\(Self.database)?host=\(server.sockets)&user=\(PostgresServer.user)"]
            + (try stripeOptions())
        for name in daemons.names {
            try serve(name, options)
        }
    }

    /// Has clients of all daemons add payments.
    func adds() throws -> Adds {
        let (figures, time) = try server.measuringProcessorTime(forRowsOf: "till.transactions", in: Self.database) {
            let loads = try daemons.names.map { name in
                try run.workspace.processes.begin(
                    run.load("till-add", at: socket(name), ["--samples", samples(name).path])
                )
            }
            let reports = try loads.map { try LoadReport($0()) }
            return try zip(daemons.names, reports).map { try Figures($1, samples: samples($0)) }
        }
        let perSecond = figures.map(\.perSecond).reduce(0, +)
        return Adds(perSecond: perSecond, latencies: figures[0], processorTime: time)
    }

    /// Has a client of the first host add payments at a rate, and one of the last observe them.
    ///
    /// - Returns: The times from an add's answer to its callback at the other host.
    func callbacks(rate: Int) throws -> Figures {
        let (first, last) = (daemons.names[0], daemons.names[daemons.names.count - 1])
        let observing = ["--observers", "1", "--observers-address", socket(last), "--rate", "\(rate)"]
        let command = try run.load("till-add", at: socket(first), observing + ["--in-flight", "\(rate)"])
        return try Figures(LoadReport(run.workspace.processes.output(of: command)), samples: run.samples)
    }

    private func socket(_ name: String) -> String {
        run.socket("\(name).sock")
    }

    private func samples(_ name: String) -> URL {
        run.state.appendingPathComponent("samples-\(name)")
    }

    /// Starts a daemon, which signs with the certificates of the first, and returns once it answers.
    private func serve(_ name: String, _ options: [String]) throws {
        let state = run.state.appendingPathComponent(name)
        let first = daemons.names[0]
        if name != first {
            try FileManager.default.createDirectory(
                at: state,
                withIntermediateDirectories: false,
                attributes: [.posixPermissions: 0o700]
            )
            let receipts = run.state.appendingPathComponent(first).appendingPathComponent("receipts")
            try FileManager.default.copyItem(at: receipts, to: state.appendingPathComponent("receipts"))
        }
        let host = daemons.hosts == nil ? [] : ["--host", name, "--host-users", "same"]
        try run.serve(tilld.command(state: state, socket: socket(name), holdsCharges: true, host + options))
        let client = Command(try run.path(of: SwiftClientPeer.client.name), ["first-call", "--address", socket(name)])
        guard try run.workspace.processes.succeeds(client) else {
            throw BenchError("A daemon did not start. \(run.lastLine ?? "")")
        }
    }

    private static func standInPath(_ tilld: Tilld) -> String {
        URL(fileURLWithPath: tilld.program).deletingLastPathComponent().appendingPathComponent(standIn).path
    }

    static func programs(_ tilld: Tilld) -> [Program] {
        let standIn = Program(standInPath(tilld), remedy: "swift build -c release --product \(standIn)")
        return tilld.programs + PostgresServer.programs + [.load, standIn]
    }

    /// Starts a stand-in for Stripe: hosts need that provider. Payments wait for approval, so nothing is charged.
    private func stripeOptions() throws -> [String] {
        try run.serve(Command(Self.standInPath(tilld), ["--key", Self.key]))
        let key = run.state.appendingPathComponent("key")
        guard
            FileManager.default.createFile(
                atPath: key.path,
                contents: Data(Self.key.utf8),
                attributes: [.posixPermissions: 0o600]
            )
        else {
            throw BenchError("\(key.path) cannot be written.")
        }
        return [
            "--provider", "stripe", "--stripe-key-file", key.path, "--stripe-address",
            try run.printed(after: "Listening on "),
            "--stripe-return-url", "https://shop.example.org/paid",
        ]
    }
}
