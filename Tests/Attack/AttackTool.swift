import ArgumentParser

@main
struct AttackTool: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "till-attack",
        abstract: "Attack a daemon as hostile peers, and measure the effects.",
        discussion:
            "For tests only. Each command except the last two starts its own daemon, which must be built beside this program.",
        subcommands: [Decode.self, Memory.self, Starvation.self, Peer.self, Honest.self]
    )
}
