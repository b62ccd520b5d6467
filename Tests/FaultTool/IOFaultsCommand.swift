import ArgumentParser
import FaultRuns
import TestValues
import TillInvariants

struct IOFaultsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "io-faults",
        abstract: "Fail each of the daemon's system calls in five scenarios.",
        discussion: """
            A run without faults counts the calls. Then each call fails in turn, once and permanently, while an \
            application works. Finally a daemon without faults must have everything that was answered. Requires strace.
            """
    )

    @Option(help: "Choose this many runs at random (default: all).")
    var runs: Int?

    @Option(help: "Run this many failing daemons at the same time.")
    var concurrency = 2

    @Option(help: "Run only start, payments, finishesAndRestores, downloads or recovery.")
    var scenario: String?

    @Option(help: "Fail only this system call (repeatable).")
    var call: [String] = []

    @OptionGroup var options: RunOptions

    func run() async throws {
        let random = options.random
        print("I/O faults; repeat them with --seed \(random.seed)")
        var faults = IOFaults(seed: random.seed, progress: Progress.show)
        faults.runsMaximum = runs
        faults.concurrency = concurrency
        faults.calls = call.isEmpty ? nil : Set(call)
        if let scenario {
            guard let scenario = IOScenario(rawValue: scenario) else {
                let names = IOScenario.allCases.map(\.rawValue).joined(separator: ", ")
                throw ValidationError("Unknown scenario \(scenario): use \(names).")
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
