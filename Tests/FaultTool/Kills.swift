import ArgumentParser
import FaultRuns
import ProcessTesting
import TestValues

struct Kills: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Kill the daemon and applications at random moments."
    )

    @Option(help: "Kill or stop processes this many times in all.")
    var rounds: Int

    @Option(help: "Check, then empty the ledger, after this many rounds.")
    var roundsPerRun = 250

    @OptionGroup var options: RunOptions

    func run() async throws {
        var random = options.random
        print("Kill rounds: \(rounds); repeat them with --seed \(random.seed)")
        var findings = Findings()
        var ends: [String: Int] = [:]
        var done = 0
        var settlingTimes: [Duration] = []
        while done < rounds, findings.isClean {
            let count = min(roundsPerRun, rounds - done)
            let seed = random.next() >> 32
            let run = try await Site.with { try await Self.kill(at: $0, rounds: count, seed: seed) }
            findings.add(run.findings)
            ends.merge(run.crew.ends, uniquingKeysWith: +)
            settlingTimes.append(run.crew.timeToSettle)
            done += count
            Progress.show("\(done) of \(rounds) rounds")
        }
        var figures = Figures()
        figures.add("rounds", done)
        figures.add("runs", settlingTimes.count)
        figures.add("ended", ends)
        figures.add("ended, in all", ends.values.reduce(0, +))
        let sorted = settlingTimes.sorted()
        if let last = sorted.last {
            figures.add("from the last start until settled, median", sorted[sorted.count / 2])
            figures.add("from the last start until settled, at most", last)
        }
        figures.add(findings)
        try Conclusion.print(figures, findings, unexamined: findings.unexamined)
    }

    /// Runs once, from an empty ledger until everything has settled.
    private static func kill(
        at site: Site,
        rounds: Int,
        seed: UInt64
    ) async throws -> (findings: Findings, crew: Crew) {
        var run = try KillRun(site: site, random: SplitMix64(seed: seed))
        for _ in 0..<rounds {
            try await run.round()
        }
        let unsettled = try await run.settle()
        var findings = Findings()
        findings.add(try await run.crew.verdict(), of: "run with seed \(seed)")
        unsettled.forEach { findings.fail("run with seed \(seed): \($0)") }
        let integrity = try await site.integrity()
        if integrity != ["ok"] {
            findings.fail("run with seed \(seed): \(integrity)")
        }
        site.keep(if: findings)
        return (findings, run.crew)
    }
}
