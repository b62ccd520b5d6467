import ArgumentParser
import FaultRuns
import TestValues

struct SoakCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "soak",
        abstract: "Work for a long time with frequent faults and checks.",
        discussion: """
            Two daemons work. One has every kind of fault. The other must survive, and its memory and descriptors must not \
            grow. If run as root, one state directory is on a small disk that can be full.
            """
    )

    @Option(help: "Run for this many minutes.")
    var minutes: Int

    @Option(help: "Check after this many seconds.")
    var epoch = 300

    @Option(help: "Cause a fault every this many seconds on average.")
    var interval = 10

    @OptionGroup var options: RunOptions

    func run() async throws {
        let random = options.random
        print("Soak of \(minutes) minutes; repeat it with --seed \(random.seed)")
        var plan = SoakPlan(duration: .seconds(60 * minutes), seed: random.seed)
        plan.epoch = .seconds(epoch)
        plan.faultInterval = .seconds(interval)
        var findings = Findings()
        for var part in try await Soak(plan: plan, progress: Progress.show).run() {
            print(part.figures().table())
            findings.add(part.findings)
        }
        try Conclusion.print(Figures(), findings, unexamined: findings.unexamined)
    }
}
