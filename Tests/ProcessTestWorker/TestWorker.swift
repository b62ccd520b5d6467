import ArgumentParser

@main
struct TestWorker: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "till-test-worker",
        abstract: "Uses a queue as an application would, and writes down what happens. For tests only.",
        subcommands: [Work.self, Probe.self, HandOver.self, Stranger.self, Crowd.self],
        defaultSubcommand: Work.self
    )
}
