struct FloorPeer: Peer {
    let name = "floor"
    let scenarios: Set<Scenario> = [.echo]
    let programs = [Program("floor", remedy: "swift build --package-path Benchmarks -c release")]

    func promise(in scenario: Scenario) -> String {
        "nothing is stored; C and epoll return the same bytes: the cost of a socket alone"
    }

    func start(_ run: Run) throws -> Command {
        let socket = run.socket("floor.sock")
        try run.serve(Command(try run.path(of: "floor"), ["echo", socket]))
        return try run.load("echo", at: socket)
    }
}
