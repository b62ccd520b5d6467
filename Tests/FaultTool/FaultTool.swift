import ArgumentParser

@main
struct FaultTool: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "till-faults",
        abstract: "Makes a real daemon and its applications fail, and proves that nothing is lost. For tests only.",
        discussion: """
            Each run prints its seed; chance then falls as before, though processes do not run at the same pace. What \
            was counted goes to stdout. Exit status: 0 all held, 1 something was broken or never put to the test.
            """,
        subcommands: [
            Kills.self, SoakCommand.self, IOFaultsCommand.self, ClockJumps.self, StartRacesCommand.self,
        ]
    )
}
