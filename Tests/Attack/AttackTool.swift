import ArgumentParser

@main
struct AttackTool: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "till-attack",
        abstract: "Attacks a daemon as hostile peers would, and measures what that does. For tests only.",
        discussion:
            "Each command but the last two starts a daemon of its own, which has to be built beside this program.",
        subcommands: [Decode.self, Memory.self, Starvation.self, Peer.self, Honest.self]
    )
}
