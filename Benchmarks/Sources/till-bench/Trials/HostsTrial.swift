import Foundation

/// Measures daemons that keep their payments in PostgreSQL: how many several with one ledger store together, what an add costs
/// the server, and how soon one host calls back about a change of another.
struct HostsTrial: Trial {
    /// The clients of one host, or of all together.
    private static let connections = 64
    private static let counts = [1, 2, 4]
    /// Hosts whose commits have one payment each.
    private static let loneHosts = 8
    /// The changes a second that are called back about.
    private static let changes = 100
    private static let alone = HostsRun.Daemons()

    let tilld: Tilld
    let name = "hosts"

    var title: String {
        "daemons with ledgers in PostgreSQL, \(Self.connections) connections unless said otherwise"
    }

    var programs: [Program] {
        HostsRun.programs(tilld)
    }

    func measure(_ workspace: Workspace, repetitions: Int) throws -> [Quantity] {
        try PostgresServer.prepare(workspace)
        let tilld = try tilld.withoutSubscriptions(in: workspace)
        var rounds: [[Quantity]] = []
        for _ in 0..<repetitions {
            rounds.append(
                try stored(workspace, tilld) + lone(workspace, tilld)
                    + notified(workspace, tilld, hasNotifications: true)
                    + notified(workspace, tilld, hasNotifications: false)
            )
        }
        guard let first = rounds.first else {
            return []
        }
        return first.indices.map { index in
            Quantity(first[index].name, first[index].unit, rounds.flatMap { $0[index].values })
        }
    }

    /// How many payments are stored, with as many connections for each daemon and in all.
    private func stored(_ workspace: Workspace, _ tilld: Tilld) throws -> [Quantity] {
        let plain = try inserts(workspace, Self.connections)
        let alone = try adds(workspace, tilld, Self.alone, Self.connections)
        var quantities = [
            Quantity("a plain INSERT on each connection", "/s", [plain.perSecond]),
            Quantity("one daemon alone", "/s", [alone.perSecond]),
        ]
        let shares =
            Self.counts.map { ($0, Self.connections) } + Self.counts.dropFirst().map { ($0, Self.connections / $0) }
        for (hosts, connections) in shares {
            let perSecond = try adds(workspace, tilld, HostsRun.Daemons(hosts: hosts), connections).perSecond
            let name = hosts == 1 ? "one host" : "\(hosts) hosts, \(connections) connections each"
            quantities.append(Quantity(name, "/s", [perSecond]))
        }
        return quantities + [
            Quantity("the server's processor time for a plain INSERT", "µs", [plain.processorTime]),
            Quantity("the server's processor time for an add", "µs", [alone.processorTime]),
        ]
    }

    /// What one payment after the other takes.
    private func lone(_ workspace: Workspace, _ tilld: Tilld) throws -> [Quantity] {
        let plain = try inserts(workspace, 1)
        let alone = try adds(workspace, tilld, Self.alone, 1)
        return [
            Quantity("the server's processor time for a lone add", "µs", [alone.processorTime]),
            Quantity("a lone plain INSERT, p50", "µs", [plain.latencies.p50]),
            Quantity("a lone add to one daemon alone, p50", "µs", [alone.latencies.p50]),
        ]
    }

    /// What hosts gain and lose by PostgreSQL's notifications.
    private func notified(_ workspace: Workspace, _ tilld: Tilld, hasNotifications: Bool) throws -> [Quantity] {
        let many = HostsRun.Daemons(hosts: Self.loneHosts, hasNotifications: hasNotifications)
        let two = HostsRun.Daemons(hosts: 2, hasNotifications: hasNotifications)
        let perSecond = try adds(workspace, tilld, many, 1).perSecond
        let callbacks = try HostsRun.measure(workspace, tilld, two, connections: 1) { run in
            try run.callbacks(rate: Self.changes)
        }
        let state = hasNotifications ? "" : ", not notified"
        return [
            Quantity("\(Self.loneHosts) hosts, a connection each\(state)", "/s", [perSecond]),
            Quantity("answer to callback at another host\(state), p50", "µs", [callbacks.p50]),
            Quantity("answer to callback at another host\(state), p99", "µs", [callbacks.p99]),
        ]
    }

    private func inserts(_ workspace: Workspace, _ connections: Int) throws -> HostsRun.Adds {
        let run = try Run(workspace, .adds, Shape(connections, 1))
        defer { run.end() }
        let server = try PostgresServer(run)
        let command = try PostgresPeer.command(run, server)
        let (figures, time) = try server.measuringProcessorTime(forRowsOf: PostgresPeer.table) {
            try Figures(LoadReport(workspace.processes.output(of: command)), samples: run.samples)
        }
        return HostsRun.Adds(perSecond: figures.perSecond, latencies: figures, processorTime: time)
    }

    private func adds(_ workspace: Workspace, _ tilld: Tilld, _ daemons: HostsRun.Daemons, _ connections: Int) throws
        -> HostsRun.Adds
    {
        try HostsRun.measure(workspace, tilld, daemons, connections: connections) { try $0.adds() }
    }
}
