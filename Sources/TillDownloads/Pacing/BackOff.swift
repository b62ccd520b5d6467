/// An exponential backoff: the delay doubles with each retry, until bytes are received again.
package struct Backoff: Hashable, Sendable {
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

    /// The delay before the next attempt.
    ///
    /// - Parameter asked: The delay that the server requested; it is respected up to the maximum.
    package mutating func wait(asked: Duration? = nil) -> Duration {
        let wait = min(next ?? first, maximum)
        next = min(wait * 2, maximum)
        return asked.map { min(max($0, wait), maximum) } ?? wait
    }
}
