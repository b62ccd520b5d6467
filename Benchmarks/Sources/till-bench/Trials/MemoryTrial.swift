import Foundation
import Glibc

/// Measures the memory of the daemon and the client library while they are idle.
struct MemoryTrial: Trial {
    /// The daemon lets no user have more connections than are free for all others.
    private static let connectionsPerUser = 24
    private static let firstUser = 20_000
    private static let kibibytesPerMebibyte = 1024.0

    let tilld: Tilld
    let name = "memory"
    /// The number of clients that have sent Hello. All have one user unless this program runs as root.
    private let connections: Int

    init(tilld: Tilld, connections: Int) {
        self.tilld = tilld
        self.connections = geteuid() == 0 ? connections : min(connections, Self.connectionsPerUser)
    }

    var title: String {
        "VmRSS of idle processes, and with \(connections) idle connections"
    }

    var programs: [Program] {
        tilld.programs + [SwiftClientPeer.client]
    }

    func measure(_ workspace: Workspace, repetitions: Int) throws -> [Quantity] {
        var daemonIdle = Quantity("the daemon", "MiB")
        var connection = Quantity("the daemon, per additional connection", "KiB")
        var sleeper = Quantity("a client program that only sleeps", "MiB")
        var client = Quantity("a client that follows a queue, in addition", "MiB")
        for _ in 0..<repetitions {
            let trial = try TrialRun(workspace, tilld)
            defer { trial.end() }
            let daemon = try trial.serve(trial.emptyState, more(trial))
            let idle = try trial.memory(of: daemon)
            daemonIdle.note(idle / Self.kibibytesPerMebibyte)
            _ = try trial.stay(connections, geteuid() == 0 ? Self.users : [])
            connection.note((try trial.memory(of: daemon) - idle) / Double(connections))
            let asleep = try trial.memory(of: try trial.stay(0))
            sleeper.note(asleep / Self.kibibytesPerMebibyte)
            let follower = try trial.memory(of: try trial.stay(1, ["--observes"]))
            client.note((follower - asleep) / Self.kibibytesPerMebibyte)
        }
        return [daemonIdle, connection, sleeper, client]
    }

    private static let users = [
        "--first-user", "\(firstUser)", "--connections-per-user", "\(connectionsPerUser)",
    ]

    private func more(_ trial: TrialRun) throws -> [String] {
        geteuid() == 0 ? try tilld.optionsForAllUsers(in: trial.run.state) : []
    }
}
