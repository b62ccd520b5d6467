import Foundation
import Glibc

/// The daemon. A load with more connections than one user may have uses several users.
struct TillPeer: Peer {
    /// The daemon's limits, which no option changes: connections per user, and requests in flight per connection and
    /// per user. If a load needs more connections, it uses several users, each below the limit.
    static let connectionsOfOneUser = 64
    private static let connectionsPerUser = 60
    private static let requestsPerConnection = 128
    static let requestsPerUser = 512
    /// The number of observers on a connection. With their acknowledgements, this many connections stay within a user's
    /// limit.
    private static let observersPerConnection = 32
    private static let observerConnectionsPerUser = 6
    private static let firstUser = 20_000

    let tilld: Tilld
    /// Whether payments wait for approval, so that only the add itself is stored.
    let holdsCharges: Bool

    var name: String {
        holdsCharges ? "till" : "till-charging"
    }

    func promise(in scenario: Scenario) -> String {
        switch scenario {
        case .echo:
            "nothing is stored; its health check reports whether payments can be stored"
        default:
            holdsCharges
                ? "answers once the payment is flushed to disk, unique by key; it then waits for approval"
                : "as till; charges each payment at once (simulated), and stores the outcome with a signed receipt"
        }
    }

    var scenarios: Set<Scenario> {
        holdsCharges ? [.adds, .echo, .fanOut, .fanOutPaced, .fanOutStopped] : [.adds]
    }

    var programs: [Program] {
        tilld.programs
    }

    func refusal(of shape: Shape, in scenario: Scenario) -> String? {
        if shape.inFlight > Self.requestsPerConnection {
            return "allows \(Self.requestsPerConnection) requests in flight per connection"
        }
        let ofUser = shape.inFlight * min(shape.connections, Self.connectionsPerUser)
        if ofUser > Self.requestsPerUser, !scenario.isFanOut {
            return "allows \(Self.requestsPerUser) requests in flight per user"
        }
        if users(shape, scenario) > 1, geteuid() != 0 {
            return "allows one user fewer connections; run as root to use several users"
        }
        return nil
    }

    /// The number of users that this many connections or observers need.
    private func users(_ shape: Shape, _ scenario: Scenario) -> Int {
        if scenario.isFanOut {
            // This includes the adding connection, and that of a stopped observer.
            let connections = 2 + (shape.connections - 1) / Self.observersPerConnection + 1
            return (connections - 1) / Self.observerConnectionsPerUser + 1
        }
        return shape.connections <= Self.connectionsOfOneUser
            ? 1 : (shape.connections - 1) / Self.connectionsPerUser + 1
    }

    func start(_ run: Run) throws -> Command {
        let socket = run.socket("till.sock")
        let comesAsSeveral = users(run.shape, run.scenario) > 1
        let more = comesAsSeveral ? try tilld.optionsForAllUsers(in: run.state) : []
        let state = run.state.appendingPathComponent("till")
        try run.serve(tilld.command(state: state, socket: socket, holdsCharges: holdsCharges, more))
        return try client(run, socket, comesAsSeveral)
    }

    private func client(_ run: Run, _ socket: String, _ comesAsSeveral: Bool) throws -> Command {
        var more: [String] = []
        if run.scenario.isFanOut {
            more += run.scenario.options
            more += ["--observers", "\(run.shape.connections)", "--connections", "1"]
        }
        if comesAsSeveral {
            let connections = run.scenario.isFanOut ? Self.observerConnectionsPerUser : Self.connectionsPerUser
            more += ["--first-user", "\(Self.firstUser)", "--connections-per-user", "\(connections)"]
        }
        return try run.load(run.scenario == .echo ? "ttrpc-check" : "till-add", at: socket, more)
    }
}
