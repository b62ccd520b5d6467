import ArgumentParser

@main
struct FaultTool: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "till-faults",
        abstract: "Break a real daemon and its applications, checking for losses.",
        discussion: """
            Each run prints its seed. A seed repeats the random choices, but not the timing of the processes. Figures go \
            to stdout. For tests only. Exit status: 0 all checks passed, 1 a check failed or an invariant was never examined.
            """,
        subcommands: [
            Kills.self, SoakCommand.self, IOFaultsCommand.self, ClockJumps.self, StartRacesCommand.self,
        ]
    )
}
