import ArgumentParser

@main
struct ClientLoad: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "till-client-load",
        abstract: "Measure Till's Swift libraries and print JSON.",
        subcommands: [
            Attach.self, Buy.self, FirstCall.self, Lives.self, Page.self, Restore.self, Stay.self, StoreKitLives.self,
        ]
    )
}
