import Testing
@testable import TillClient

@Suite struct BackoffTests {
    @Test func theFirstAttemptIsMadeAtOnce() {
        var random = SystemRandomNumberGenerator()
        #expect(Backoff().delay(using: &random) == .zero)
    }

    @Test(arguments: [
        (failures: 1, longest: Duration.milliseconds(20)),
        (failures: 2, longest: .milliseconds(40)),
        (failures: 3, longest: .milliseconds(80)),
        (failures: 7, longest: .milliseconds(1280)),
        (failures: 8, longest: Backoff.maximum),
        (failures: 10_000, longest: Backoff.maximum),
    ])
    func theDelayDoublesUpToItsMaximumWithHalfOfItLeftToChance(failures: Int, longest: Duration) {
        var backoff = Backoff()
        (0..<failures).forEach { _ in backoff.failed() }
        var random = SystemRandomNumberGenerator()
        let delays = (0..<100).map { _ in backoff.delay(using: &random) }
        #expect(delays.allSatisfy { longest * 0.5 <= $0 && $0 <= longest })
        #expect(Set(delays).count > 1, "Clients that fail together must not reconnect together.")
    }

    @Test(arguments: [
        (lifetime: Duration.zero, failures: 4),
        (lifetime: .milliseconds(999), failures: 4),
        (lifetime: Backoff.stableAfter, failures: 0),
        (lifetime: .seconds(3600), failures: 0),
    ])
    func onlyAConnectionThatLastedResetsTheBackoff(lifetime: Duration, failures: Int) {
        var backoff = Backoff()
        (0..<3).forEach { _ in backoff.failed() }
        backoff.ended(after: lifetime)
        #expect(backoff.failures == failures)
    }
}
