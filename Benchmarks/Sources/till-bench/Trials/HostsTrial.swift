import Foundation

/// Measures how many payments a second several daemons with one ledger in PostgreSQL store together.
struct HostsTrial: Trial {
    /// The clients of one host, or of all together.
    private static let connections = 64
    private static let counts = [1, 2, 4]
    private static let standIn = "till-stripe-stand-in"
    private static let key = "rk_test_bench"
    /// What is measured of hosts.
    private static let shares =
        counts.map { Share(hosts: $0, connections: connections) }
        + counts.dropFirst().map { Share(hosts: $0, connections: connections / $0) }

    /// So many hosts with so many clients each.
    private struct Share {
        var hosts: Int
        var connections: Int

        var title: String {
            hosts == 1 ? "one host" : "\(hosts) hosts, \(connections) connections each"
        }
    }

    let tilld: Tilld
    let name = "hosts"

    var title: String {
        "adds to daemons with one ledger in PostgreSQL, of \(Self.connections) connections unless said otherwise"
    }

    var programs: [Program] {
        let standIn = Program(standInPath, remedy: "swift build -c release --product \(Self.standIn)")
        return tilld.programs + PostgresServer.programs + [.load, standIn]
    }

    /// It is built with the daemon.
    private var standInPath: String {
        URL(fileURLWithPath: tilld.program).deletingLastPathComponent().appendingPathComponent(Self.standIn).path
    }

    func measure(_ workspace: Workspace, repetitions: Int) throws -> [Quantity] {
        try PostgresServer.prepare(workspace)
        let tilld = try tilld.withoutSubscriptions(in: workspace)
        var plain = Quantity("a plain INSERT on each connection", "/s")
        var alone = Quantity("one daemon alone", "/s")
        var shared = Self.shares.map { Quantity($0.title, "/s") }
        for _ in 0..<repetitions {
            plain.note(try inserts(workspace))
            alone.note(try adds(workspace, tilld, hosts: [], connections: Self.connections))
            for (index, share) in Self.shares.enumerated() {
                let hosts = (1...share.hosts).map { "host\($0)" }
                shared[index].note(try adds(workspace, tilld, hosts: hosts, connections: share.connections))
            }
        }
        return [plain, alone] + shared
    }

    private func inserts(_ workspace: Workspace) throws -> Double {
        let run = try Run(workspace, .adds, Shape(Self.connections, 1))
        defer { run.end() }
        return try LoadReport.operationsPerSecond(in: workspace.processes.output(of: PostgresPeer().start(run)))
    }

    /// The adds a second of all hosts together; of one daemon that does not share the ledger, without hosts.
    ///
    /// - Parameter connections: Those of each daemon.
    private func adds(_ workspace: Workspace, _ tilld: Tilld, hosts: [String], connections: Int) throws -> Double {
        let daemons = hosts.isEmpty ? ["alone"] : hosts
        let run = try Run(workspace, .adds, Shape(connections, 1))
        defer { run.end() }
        let server = try PostgresServer(run)
        try server.execute("DROP DATABASE IF EXISTS till")
        try server.execute("CREATE DATABASE till")
        var options = ["--ledger", "postgresql:///till?host=\(server.sockets)&user=\(PostgresServer.user)"]
        options += try stripeOptions(run)
        for name in daemons {
            try serve(name, hosts.isEmpty ? [] : ["--host", name], options, tilld, run, first: daemons[0])
        }
        let results = try daemons.map { name in
            let samples = run.state.appendingPathComponent("samples-\(name)").path
            return try workspace.processes.begin(
                run.load("till-add", at: run.socket("\(name).sock"), ["--samples", samples])
            )
        }
        return try results.map { try LoadReport.operationsPerSecond(in: $0()) }.reduce(0, +)
    }

    /// Starts a daemon, which signs with the certificates of the first, and returns once it answers.
    private func serve(
        _ name: String,
        _ host: [String],
        _ options: [String],
        _ tilld: Tilld,
        _ run: Run,
        first: String
    ) throws {
        let state = run.state.appendingPathComponent(name)
        if name != first {
            let attributes = [FileAttributeKey.posixPermissions: 0o700]
            try FileManager.default.createDirectory(
                at: state,
                withIntermediateDirectories: false,
                attributes: attributes
            )
            let receipts = run.state.appendingPathComponent(first).appendingPathComponent("receipts")
            try FileManager.default.copyItem(at: receipts, to: state.appendingPathComponent("receipts"))
        }
        let socket = run.socket("\(name).sock")
        try run.serve(tilld.command(state: state, socket: socket, holdsCharges: true, host + options))
        let client = Command(try run.path(of: SwiftClientPeer.client.name), ["first-call", "--address", socket])
        guard try run.workspace.processes.succeeds(client) else {
            throw BenchError("A daemon did not start. \(run.lastLine ?? "")")
        }
    }

    /// Starts a stand-in for Stripe: hosts need that provider. Payments wait for approval, so nothing is charged.
    private func stripeOptions(_ run: Run) throws -> [String] {
        try run.serve(Command(standInPath, ["--key", Self.key]))
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
