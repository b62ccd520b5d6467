import FaultRuns
import Foundation
import ProcessTesting
import TestValues
import Testing
import TillInvariants

/// Kills applications and the daemon at random moments, and checks the applications' histories against the books.
@Suite(.serialized)
struct KillTests {
    struct Broken: Error {
        var seed: UInt64
        var messages: [String]
    }

    static let roundsDefault = 200

    @Test(.timeLimit(.minutes(30)))
    func nothingIsLostOrChargedTwiceAfterKills() async throws {
        let random = SplitMix64.fromEnvironment()
        let rounds = ProcessInfo.processInfo.environment["TILL_KILL_ROUNDS"].flatMap { Int($0) } ?? Self.roundsDefault
        print("Kill rounds: \(rounds); repeat them with TILL_TEST_SEED=\(random.seed)")
        try await Site.with { site in
            var run = try KillRun(site: site, random: random)
            for _ in 0..<rounds {
                try await run.round()
            }
            let unsettled = try await run.settle()
            #expect(try await site.integrity() == ["ok"])
            var findings = Findings()
            findings.add(try await run.crew.verdict(), of: "seed \(random.seed)")
            var figures = Figures()
            figures.add("ended", run.crew.ends)
            figures.add(findings)
            print(figures.table())
            if let first = unsettled.first, findings.isClean {
                throw first
            }
            for invariant in findings.unexamined {
                Issue.record("\(invariant) was never examined")
            }
            guard findings.isClean else {
                throw Broken(seed: random.seed, messages: findings.messages)
            }
        }
    }
}
