import FaultRuns
import Foundation
import ProcessTesting
import TestValues
import Testing

/// Kills and pauses hosts that share a ledger, and compares what they say with the book of Stripe's stand-in, or of the simulated
/// store.
///
/// `TILL_HOST_ROUNDS` sets the number of rounds, and `TILL_TEST_SEED` repeats the choices of a run.
@Suite(
    .serialized,
    .enabled(if: PostgresCluster.isInstalled, "Debian's package postgresql-15 is not installed")
)
struct HostKillTests {
    static let rounds = ProcessInfo.processInfo.environment["TILL_HOST_ROUNDS"].flatMap { Int($0) } ?? 6
    /// A round takes two to six seconds on a quiet machine.
    static let minutes = max(10, rounds / 2)

    @Test(.timeLimit(.minutes(minutes)), arguments: [false, true])
    func everyPaymentIsChargedOnceWhateverHappensToHosts(isSimulated: Bool) async throws {
        let random = SplitMix64.fromEnvironment()
        let store = isSimulated ? "the simulated store" : "Stripe's stand-in"
        print("Host rounds with \(store): \(Self.rounds); repeat them with TILL_TEST_SEED=\(random.seed)")
        try await HostSite.with(isSimulated: isSimulated) { hosts in
            var run = try await HostKillRun(at: hosts, [.none, .kill, .pause], random)
            for _ in 0..<Self.rounds {
                try await run.round()
            }
            let differences = try await run.settle()
            #expect(differences == [], "seed \(random.seed)")
            #expect(run.payments.count >= Self.rounds)
            print("\(run.kills) kills and \(run.pauses) pauses of hosts, \(run.payments.count) payments")
            if !differences.isEmpty {
                hosts.site.keep()
            }
        }
    }
}
