import Foundation
import Glibc

/// The daemon. A load of more connections than it allows a user comes from several.
struct TillPeer: Peer {
    /// The daemon's limits, which no option changes: connections of a user, and requests in flight of a connection and of
    /// a user. Who needs more connections comes as several users, each with some less than it may have.
    static let connectionsOfOneUser = 64
    private static let connectionsPerUser = 60
    private static let requestsPerConnection = 128
    static let requestsPerUser = 512
    /// Observers share connections; with their acknowledgements, so many connections stay within a user's limit.
    private static let observersPerConnection = 32
    private static let observerConnectionsPerUser = 6
    private static let firstUser = 20_000

    let tilld: Tilld
    /// Payments wait for approval, so that nothing but the add itself is stored.
    let holdsCharges: Bool

    var name: String {
        holdsCharges ? "till" : "till-charging"
    }

    func promise(in scenario: Scenario) -> String {
        switch scenario {
        case .echo:
            "nothing is stored; answers its health check by whether a payment would be"
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
            return "allows \(Self.requestsPerConnection) requests in flight on a connection"
        }
        let ofUser = shape.inFlight * min(shape.connections, Self.connectionsPerUser)
        if ofUser > Self.requestsPerUser, !scenario.isFanOut {
            return "allows \(Self.requestsPerUser) requests in flight of a user"
        }
        if users(shape, scenario) > 1, geteuid() != 0 {
            return "allows one user less; as root, the benchmark comes as several"
        }
        return nil
    }

    /// How many users it takes for as many connections or observers.
    private func users(_ shape: Shape, _ scenario: Scenario) -> Int {
        if scenario.isFanOut {
            // Also the one that adds, and that of a stopped observer.
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
