import ArgumentParser

@main
struct TestWorker: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "till-test-worker",
        abstract: "Use a queue as an application, recording what happens. For tests.",
        subcommands: [Work.self, Probe.self, HandOver.self, Stranger.self, Crowd.self, KeepSocket.self],
        defaultSubcommand: Work.self
    )
}
