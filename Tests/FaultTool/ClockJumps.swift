import ArgumentParser
import FaultRuns
import ProcessTesting
import TestValues

struct ClockJumps: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clock-jumps",
        abstract: "Move the wall clock while killing the daemon and applications.",
        discussion: "Requires clang, which is part of the Swift toolchain."
    )

    @Option(help: "Set the clock this many times.")
    var jumps: Int

    @Option(help: "Check, then empty the ledger, after this many jumps.")
    var jumpsPerRun = 100

    @OptionGroup var options: RunOptions

    func run() async throws {
        var random = options.random
        print("Clock jumps: \(jumps); repeat them with --seed \(random.seed)")
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
