import ArgumentParser

@main
struct TillCrashStates: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "till-crash-states",
        abstract: "Records what a daemon writes, and proves what a loss of power at any moment would leave of it.",
        discussion: """
            The daemon runs under strace while applications buy, download and finish. Then, for every moment, the disks \
            are made that could be left: nothing more than what was flushed, everything, and sectors by chance. Each is \
            opened by the ledger's own code and held against what clients had been answered; some are served by the \
            real daemon. Exits with 1 when anything is lost or wrong.
            """,
        subcommands: [Run.self, MakeState.self],
        defaultSubcommand: Run.self
    )
}
