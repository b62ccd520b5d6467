import ArgumentParser

@main
struct TillCrashStates: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "till-crash-states",
        abstract: "Record a daemon's writes, and check the effects of power losses.",
        discussion: """
            The daemon runs under strace while applications buy, download and finish. For every moment, the tool makes \
            the disks that a loss of power could leave: only flushed changes, all changes, and random sectors. The ledger's \
            own code opens each disk, which is checked against the answers that clients had received. The real daemon serves \
            some of them. Exits with 1 if anything is lost or wrong.
            """,
        subcommands: [Run.self, MakeState.self],
        defaultSubcommand: Run.self
    )
}
