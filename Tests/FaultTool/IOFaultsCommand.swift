import ArgumentParser
import FaultRuns
import TestValues
import TillInvariants

struct IOFaultsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "io-faults",
        abstract: "Make every system call fail that the daemon needs, one by one, in five scenarios.",
        discussion: """
            The calls of a run without faults are counted first. Then each fails in turn, once and for good, while an \
            application works; a daemon without faults follows, and all that was answered has to be there. Needs strace.
            """
    )

    @Option(help: "How many of all runs there are, chosen by chance (default: all).")
    var runs: Int?

    @Option(help: "How many daemons fail at the same time.")
    var concurrency = 2

    @Option(help: "Only this scenario: start, payments, finishesAndRestores, downloads or recovery.")
    var scenario: String?

    @Option(help: "Only faults of this system call; may be given again.")
    var call: [String] = []

    @OptionGroup var options: RunOptions

    func run() async throws {
        let random = options.random
        print("I/O faults; to repeat them: --seed \(random.seed)")
        var faults = IOFaults(seed: random.seed, progress: Progress.show)
        faults.runsMaximum = runs
        faults.concurrency = concurrency
        faults.calls = call.isEmpty ? nil : Set(call)
        if let scenario {
            guard let scenario = IOScenario(rawValue: scenario) else {
                throw ValidationError("There is no scenario \(scenario).")
            }
            faults.scenarios = [scenario]
        }
        let start = ContinuousClock.now
        let report = try await faults.run()
        var figures = report.figures()
        figures.add("time", ContinuousClock.now - start)
        try Conclusion.print(figures, report.findings, unexamined: report.runs == 0 ? Invariant.allCases : [])
    }
}
