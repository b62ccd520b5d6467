import Foundation
import ProcessTesting
import Testing

/// Pauses hosts that share a ledger at any moment, for longer than they are waited for, and compares what they say with
/// Stripe's book.
///
/// `TILL_HOST_PAUSES` sets the number of pauses, each of 1 to 30 seconds.
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
        let counts = try await HostRuns(rounds: Self.pauses, accidents: [.pause], durations: Self.durations).run()
        #expect(counts.pauses == Self.pauses)
    }
}
