/// How long to wait before the next attempt: each time twice as long, until something came in again.
package struct BackOff: Hashable, Sendable {
    package var first: Duration = .seconds(1)
    package var maximum: Duration = .seconds(60)
    private var next: Duration?

    package init(first: Duration = .seconds(1), maximum: Duration = .seconds(60)) {
        self.first = first
        self.maximum = maximum
    }

    package mutating func reset() {
        next = nil
    }

    /// The wait before the next attempt.
    ///
    /// - Parameter asked: What the server asks for; it is believed up to the maximum.
    package mutating func wait(asked: Duration? = nil) -> Duration {
        let wait = min(next ?? first, maximum)
        next = min(wait * 2, maximum)
        return asked.map { min(max($0, wait), maximum) } ?? wait
    }
}
