import FoundationEssentials

/// The daemon with an application in Swift that buys products, finishes them, and waits for their removal.
struct SwiftClientPeer: Peer {
    /// The library that the application uses.
    enum Library: String, Sendable {
        case tillClient = "till-client"
        case storeKit = "till-storekit"
    }

    static let client = Program("till-client-load", remedy: "swift build --package-path Benchmarks -c release")

    let tilld: Tilld
    let library: Library
    let scenarios: Set<Scenario> = [.lives]

    var name: String {
        library.rawValue
    }

    var programs: [Program] {
        tilld.programs + [Self.client]
    }

    func promise(in scenario: Scenario) -> String {
        let ends = "a payment is stored, charged (simulated), signed, delivered, finished and delivered as removed"
        return switch library {
        case .tillClient: "\(ends); each connection has a queue of its own"
        case .storeKit: "\(ends); the application's receipt is written before each purchase is delivered"
        }
    }

    func refusal(of shape: Shape, in scenario: Scenario) -> String? {
        if library == .storeKit, shape != Shape(1, 1) {
            return "has one queue per process, on which this application buys sequentially"
        }
        if shape.connections > TillPeer.connectionsOfOneUser {
            return "allows \(TillPeer.connectionsOfOneUser) connections per user"
        }
        // In addition to the payments' calls, each connection follows its queue and acknowledges changes.
        if shape.connections * (shape.inFlight + 2) > TillPeer.requestsPerUser {
            return "allows \(TillPeer.requestsPerUser) requests in flight per user"
        }
        return nil
    }

    func start(_ run: Run) throws -> Command {
        let socket = run.socket("till.sock")
        try run.serve(tilld.command(state: run.state.appendingPathComponent("till"), socket: socket))
        let name = library == .storeKit ? "storekit-lives" : "lives"
        var command = Command(try run.path(of: Self.client.name), [name] + run.loadOptions(at: socket))
        command.environment["TILL_RECEIPT"] = run.state.appendingPathComponent("receipt").path
        return command
    }
}
