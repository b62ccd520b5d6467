import Foundation
import ProcessTesting
import Testing

/// Kills and pauses hosts that share a ledger, and compares what they say with the book of Stripe's stand-in, or of the simulated
/// store.
///
/// `TILL_HOST_ROUNDS` sets the number of rounds, half of them with each provider.
@Suite(
    .serialized,
    .enabled(if: PostgresCluster.isInstalled, "Debian's package postgresql-15 is not installed")
)
struct HostKillTests {
    private static let configured = ProcessInfo.processInfo.environment["TILL_HOST_ROUNDS"].flatMap { Int($0) }
    /// With each provider.
    static let rounds = (configured ?? 12) / 2
    /// A round takes two to six seconds on a quiet machine.
    static let minutes = max(10, rounds / 2)

    @Test(.timeLimit(.minutes(minutes)), arguments: [false, true])
    func everyPaymentIsChargedOnceWhateverHappensToHosts(isSimulated: Bool) async throws {
        let counts = try await HostRuns(
            rounds: Self.rounds,
            accidents: [.none, .kill, .pause],
            isSimulated: isSimulated
        ).run()
        #expect(counts.payments >= Self.rounds)
    }
}
