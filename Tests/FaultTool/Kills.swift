import ArgumentParser
import FaultRuns
import ProcessTesting
import TestValues

struct Kills: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Kill the daemon and its applications at random moments, and check at every rest."
    )

    @Option(help: "How often somebody is killed or stopped, in all.")
    var rounds: Int

    @Option(help: "How often between two checks, each of which starts anew with an empty ledger.")
    var roundsPerRun = 250

    @OptionGroup var options: RunOptions

    func run() async throws {
        var random = options.random
        print("Kill rounds: \(rounds); to repeat them: --seed \(random.seed)")
        var findings = Findings()
        var ends: [String: Int] = [:]
        var done = 0
        var rests: [Duration] = []
        while done < rounds, findings.isClean {
            let count = min(roundsPerRun, rounds - done)
            let seed = random.next() >> 32
            let run = try await Site.with { try await Self.kill(at: $0, rounds: count, seed: seed) }
            findings.add(run.findings)
            ends.merge(run.crew.ends, uniquingKeysWith: +)
            rests.append(run.crew.timeToRest)
            done += count
            Progress.show("\(done) of \(rounds) rounds")
        }
        var figures = Figures()
        figures.add("rounds", done)
        figures.add("runs", rests.count)
        figures.add("ended", ends)
        figures.add("ended in all", ends.values.reduce(0, +))
        let sorted = rests.sorted()
        if let last = sorted.last {
            figures.add("from the last start to the rest, median", sorted[sorted.count / 2])
            figures.add("from the last start to the rest, at most", last)
        }
        figures.add(findings)
        try Conclusion.print(figures, findings, unexamined: findings.unexamined)
    }

    /// One run from an empty ledger to a rest.
    private static func kill(
        at site: Site,
        rounds: Int,
        seed: UInt64
    ) async throws -> (findings: Findings, crew: Crew) {
        var run = try KillRun(site: site, random: SplitMix64(seed: seed))
        for _ in 0..<rounds {
            try await run.round()
        }
        let restless = try await run.settle()
        var findings = Findings()
        findings.add(try await run.crew.verdict(), of: "run with seed \(seed)")
        restless.forEach { findings.fail("run with seed \(seed): \($0)") }
        let integrity = try await site.integrity()
        if integrity != ["ok"] {
            findings.fail("run with seed \(seed): \(integrity)")
        }
        site.keep(if: findings)
        return (findings, run.crew)
    }
}
