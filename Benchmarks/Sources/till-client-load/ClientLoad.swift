import ArgumentParser

@main
struct ClientLoad: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "till-client-load",
        abstract: "Use Till's libraries for Swift as applications do, and print what was measured as JSON.",
        subcommands: [
            Attach.self, Buy.self, FirstCall.self, Lives.self, Restore.self, Stay.self, StoreKitLives.self,
        ]
    )
}
