import FoundationEssentials

/// grpc-swift-2 with its own client.
struct GRPCPeer: Peer {
    let name = "grpc-swift"
    let scenarios: Set<Scenario> = [.echo]
    let programs = [Program("grpc-swift", remedy: "Benchmarks/Peers/build FOLDER grpc-swift")]

    func promise(in scenario: Scenario) -> String {
        "nothing is stored"
    }

    func start(_ run: Run) throws -> Command {
        let socket = run.socket("grpc.sock")
        let program = try run.path(of: "grpc-swift")
        try run.serve(Command(program, ["serve", socket]))
        return Command(program, run.loadArguments(socket))
    }
}
