import ArgumentParser
import FaultRuns
import ProcessTesting
import TestValues

struct ClockJumps: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clock-jumps",
        abstract: "Set the wall clock by years while daemon and applications work and are killed.",
        discussion: "Needs clang, which comes with the toolchain."
    )

    @Option(help: "How often the clock is set.")
    var jumps: Int

    @Option(help: "How often between two checks, each of which starts anew with an empty ledger.")
    var jumpsPerRun = 100

    @OptionGroup var options: RunOptions

    func run() async throws {
        var random = options.random
        print("Clock jumps: \(jumps); to repeat them: --seed \(random.seed)")
        var findings = Findings()
        var ends: [String: Int] = [:]
        var longestWait = Duration.zero
        var done = 0
        while done < jumps, findings.isClean {
            let count = min(jumpsPerRun, jumps - done)
            let seed = random.next() >> 32
            let run = try await Site.with { site in
                var run = try await ClockRun(site: site, random: SplitMix64(seed: seed))
                for _ in 0..<count where run.findings.isClean {
                    try await run.round()
                }
                try await run.settle()
                return run
            }
            findings.add(run.findings)
            ends.merge(run.ends, uniquingKeysWith: +)
            longestWait = max(longestWait, run.longestWait)
            done += run.jumps
            Progress.show("\(done) of \(jumps) jumps")
        }
        var figures = Figures()
        figures.add("jumps", done)
        figures.add("longest wait for a payment", longestWait)
        figures.add("ended", ends)
        figures.add(findings)
        try Conclusion.print(figures, findings, unexamined: findings.unexamined)
    }
}
