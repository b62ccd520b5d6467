import FoundationEssentials

struct RedisPeer: Peer {
    let name = "redis"
    let scenarios: Set<Scenario> = [.adds]
    let programs = [Program("redis-server", package: "redis-server")]

    func promise(in scenario: Scenario) -> String {
        "answers once its append-only file is flushed to disk (appendfsync always); the key's state is in memory"
    }

    func start(_ run: Run) throws -> Command {
        let socket = run.socket("redis.sock")
        var arguments = ["--port", "0", "--unixsocket", socket, "--dir", run.state.path]
        arguments += ["--appendonly", "yes", "--appendfsync", "always", "--save", "", "--maxclients", "1000"]
        try run.serve(Command(try run.path(of: "redis-server"), arguments))
        return try run.load("redis-set", at: socket)
    }
}
