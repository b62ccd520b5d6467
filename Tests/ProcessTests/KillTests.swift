import Foundation
import ProcessTesting
import Testing
import TillInvariants

/// Kills applications and the daemon at random moments, and holds what they saw against what is written down.
@Suite(.serialized)
struct KillTests {
    struct Broken: Error {
        var seed: UInt64
        var violations: [Violation]
    }

    static let roundsDefault = 200
    /// Of the violations of one invariant.
    static let printedMaximum = 10

    @Test(.timeLimit(.minutes(30)))
    func nothingIsLostOrChargedTwiceWhoeverIsKilled() async throws {
        let random = SeededRandom.fromEnvironment()
        let rounds = ProcessInfo.processInfo.environment["TILL_KILL_ROUNDS"].flatMap { Int($0) } ?? Self.roundsDefault
        print("Kill rounds: \(rounds); to repeat them: TILL_TEST_SEED=\(random.seed)")
        try await Site.with { site in
            var run = try KillRun(site: site, random: random)
            for _ in 0..<rounds {
                try await run.round()
            }
            let restless = try await run.settle()
            #expect(try await run.integrity() == ["ok"])
            let verdict = try await run.verdict()
            report(run, verdict)
            if let first = restless.first, verdict.violations.isEmpty {
                throw first
            }
            for invariant in Invariant.allCases where !Invariant.ofSpecialStores.contains(invariant) {
                #expect(verdict.examined[invariant, default: 0] > 0, "\(invariant) was never put to the test")
            }
            guard verdict.violations.isEmpty else {
                throw Broken(seed: random.seed, violations: Array(verdict.violations.prefix(Self.printedMaximum)))
            }
        }
    }

    private func report(_ run: KillRun, _ verdict: Verdict) {
        print("Killed: \(run.kills.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", "))")
        let examined = Invariant.allCases.map { "\($0.rawValue) \(verdict.examined[$0, default: 0])" }
        print("Examined: \(examined.joined(separator: ", "))")
        for (invariant, violations) in Dictionary(grouping: verdict.violations, by: \.invariant) {
            print("Broken \(violations.count) times: \(invariant.rawValue)")
            violations.prefix(Self.printedMaximum).forEach { print("Broken: \($0)") }
        }
    }
}
