import FoundationEssentials

/// containerd's ttrpc in Go, with exactly the same health check as the daemon's.
struct GoPeer: Peer {
    enum Client {
        /// The load generator.
        case load
        /// The client in Go.
        case go
    }

    let client: Client
    let scenarios: Set<Scenario> = [.echo]
    let programs = [Program("go-ttrpc", remedy: "Benchmarks/Peers/build FOLDER go-ttrpc")]

    var name: String {
        client == .load ? "go-ttrpc" : "go-ttrpc-go"
    }

    func promise(in scenario: Scenario) -> String {
        "nothing is stored"
    }

    func start(_ run: Run) throws -> Command {
        let socket = run.socket("go.sock")
        let program = try run.path(of: "go-ttrpc")
        try run.serve(Command(program, ["serve", socket]))
        guard client == .go else {
            return try run.load("ttrpc-check", at: socket)
        }
        return Command(program, run.loadArguments(socket))
    }
}
