import FaultRuns
import Foundation
import ProcessTesting
import TestValues
import Testing

/// Pauses hosts that share a ledger at any moment, for longer than they are waited for, and compares what they say with
/// Stripe's book.
///
/// `TILL_HOST_PAUSES` sets the number of pauses, each of 1 to 30 seconds, and `TILL_TEST_SEED` repeats the choices of a run.
@Suite(
    .serialized,
    .enabled(if: PostgresCluster.isInstalled, "Debian's package postgresql-15 is not installed")
)
struct HostPauseTests {
    private static let configured = ProcessInfo.processInfo.environment["TILL_HOST_PAUSES"].flatMap { Int($0) }
    static let pauses = configured ?? 2
    /// In milliseconds.
    private static let durations = configured == nil ? 3_500...6_000 : 1_000...30_000
    static let minutes = max(10, pauses)

    @Test(.timeLimit(.minutes(minutes)))
    func othersContinueAndAPausedHostChargesNothingTwice() async throws {
        let random = SplitMix64.fromEnvironment()
        print("Host pauses: \(Self.pauses); repeat them with TILL_TEST_SEED=\(random.seed)")
        try await HostSite.with { hosts in
            var run = try await HostKillRun(at: hosts, [.pause], lasting: Self.durations, random)
            for _ in 0..<Self.pauses {
                try await run.round()
            }
            let differences = try await run.settle()
            #expect(differences == [], "seed \(random.seed)")
            #expect(run.pauses == Self.pauses)
            print("\(run.pauses) pauses of hosts, \(run.payments.count) payments")
            if !differences.isEmpty {
                hosts.site.keep()
            }
        }
    }
}
