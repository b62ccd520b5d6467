/// How long to wait before the next attempt to connect: doubling from 20 ms up to 5 s, with jitter so that many clients
/// of a daemon that restarts do not return at once.
package struct Backoff: Equatable {
    static let first = Duration.milliseconds(20)
    static let maximum = Duration.seconds(5)
    /// A connection that lived for less counts as a failed attempt.
    static let stableAfter = Duration.seconds(1)

    private(set) var failures = 0

    package init() {}

    /// Zero before the first attempt; then between half of the delay and all of it.
    package func delay(using random: inout some RandomNumberGenerator) -> Duration {
        guard failures > 0 else {
            return .zero
        }
        let doubled = Self.first * (1 << min(failures - 1, 16))
        return min(doubled, Self.maximum) * Double.random(in: 0.5...1, using: &random)
    }

    package mutating func failed() {
        failures += 1
    }

    /// A connection that lasted this long has ended.
    package mutating func ended(after lifetime: Duration) {
        failures = lifetime < Self.stableAfter ? failures + 1 : 0
    }
}
