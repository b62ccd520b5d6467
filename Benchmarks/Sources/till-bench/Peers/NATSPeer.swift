import Foundation

struct NATSPeer: Peer {
    let name = "nats"
    let scenarios: Set<Scenario> = [.adds]
    let programs = [Program("nats-server", package: "nats-server")]

    func promise(in scenario: Scenario) -> String {
        "answers once the message is written to JetStream's file; NOT flushed, so a loss of power may lose it"
    }

    func start(_ run: Run) throws -> Command {
        // NATS does not support Unix sockets.
        let port = 20_000 + Int(ProcessInfo.processInfo.processIdentifier) % 20_000
        let arguments = ["--jetstream", "--store_dir", run.state.path, "--addr", "127.0.0.1", "--port", "\(port)"]
        try run.serve(Command(try run.path(of: "nats-server"), arguments))
        return try run.load("nats-publish", at: "127.0.0.1:\(port)")
    }
}
