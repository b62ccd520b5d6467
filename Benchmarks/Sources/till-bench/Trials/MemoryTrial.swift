import Foundation
import Glibc

/// What the daemon and the client library take of the memory while nothing happens.
struct MemoryTrial: Trial {
    /// Below the daemon's limit of a user.
    private static let connectionsPerUser = 60
    private static let firstUser = 20_000
    private static let kibibytesPerMebibyte = 1024.0

    let tilld: Tilld
    let name = "memory"
    /// Clients that have said Hello; of one user alone unless this program is root's.
    private let connections: Int

    init(tilld: Tilld, connections: Int) {
        self.tilld = tilld
        self.connections = geteuid() == 0 ? connections : min(connections, Self.connectionsPerUser)
    }

    var title: String {
        "VmRSS of processes at rest, and with \(connections) idle connections"
    }

    var programs: [Program] {
        tilld.programs + [SwiftClientPeer.client]
    }

    func measure(_ workspace: Workspace, repetitions: Int) throws -> [Quantity] {
        var daemonIdle = Quantity("the daemon", "MiB")
        var connection = Quantity("the daemon, for each connection more", "KiB")
        var sleeper = Quantity("a client's program that only sleeps", "MiB")
        var client = Quantity("a client that follows a queue, beyond that", "MiB")
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
