import FaultRuns
import Foundation
import ProcessTesting
import TestValues
import Testing

/// Rounds of ``HostKillRun``, shared among several sites at once, because a round mostly waits. Each site has hosts, a database and a
/// provider of its own.
struct HostRuns {
    var rounds: Int
    var accidents: [HostKillRun.Accident]
    /// Of pauses and partitions, in milliseconds.
    var durations = 500...7_000
    var isSimulated = false
    /// The hosts that reach the database over links of their own. The machine has them once, so they are one site's.
    var networked: [String] = []

    /// What happened in all rounds.
    struct Counts {
        var kills = 0
        var pauses = 0
        var partitions = 0
        var payments = 0

        static func += (counts: inout Counts, other: Counts) {
            counts.kills += other.kills
            counts.pauses += other.pauses
            counts.partitions += other.partitions
            counts.payments += other.payments
        }
    }

    /// Runs all rounds, and expects that the hosts and the provider then say the same.
    ///
    /// `TILL_HOST_SITES` sets how many sites there are, and `TILL_TEST_SEED` repeats the choices of a run with as many.
    func run() async throws -> Counts {
        let seed = SplitMix64.fromEnvironment().seed
        let shares = shares
        print("\(rounds) rounds of hosts at \(shares.count) sites; repeat them with TILL_TEST_SEED=\(seed)")
        let counts = try await withThrowingTaskGroup(of: Counts.self) { group in
            for (index, share) in shares.enumerated() {
                group.addTask { try await run(share, SplitMix64(seed: seed &+ UInt64(index))) }
            }
            return try await group.reduce(into: Counts(), +=)
        }
        print(
            "\(counts.kills) kills and \(counts.pauses) pauses of hosts, \(counts.partitions) partitions, \(counts.payments) payments"
        )
        return counts
    }

    /// The rounds of each site.
    private var shares: [Int] {
        let configured = ProcessInfo.processInfo.environment["TILL_HOST_SITES"].flatMap { Int($0) } ?? 1
        let sites = networked.isEmpty ? min(max(configured, 1), max(rounds, 1)) : 1
        return (0..<sites).map { rounds / sites + ($0 < rounds % sites ? 1 : 0) }
    }

    private func run(_ rounds: Int, _ random: SplitMix64) async throws -> Counts {
        var counts = Counts()
        try await HostSite.with(isSimulated: isSimulated, networked: networked) { hosts in
            var run = try await HostKillRun(at: hosts, accidents, lasting: durations, random)
            for number in 0..<rounds {
                if number > 0, number.isMultiple(of: 100) {
                    print("\(number) of \(rounds) rounds at the site with the seed \(random.seed)")
                }
                try await run.round()
            }
            let differences = try await run.settle()
            #expect(differences == [], "the site with the seed \(random.seed)")
            if !differences.isEmpty {
                hosts.site.keep()
            }
            counts = run.counts
        }
        return counts
    }
}
