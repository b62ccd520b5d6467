import ArgumentParser
import FaultRuns
import TestValues

struct SoakCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "soak",
        abstract: "Work for a long time with a fault every few seconds, and check at every rest.",
        discussion: """
            Two daemons work: one fails in every way there is, the other survives and is watched for memory and \
            descriptors, which must not grow. As root, one disk is a small one that can be full.
            """
    )

    @Option(help: "How long.")
    var minutes: Int

    @Option(help: "From one check to the next, in seconds.")
    var epoch = 300

    @Option(help: "From one fault to the next on average, in seconds.")
    var interval = 10

    @OptionGroup var options: RunOptions

    func run() async throws {
        let random = options.random
        print("Soak of \(minutes) minutes; to repeat it: --seed \(random.seed)")
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
