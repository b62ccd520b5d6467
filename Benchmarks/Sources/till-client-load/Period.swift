typealias Moment = ContinuousClock.Instant

/// The measured period of time.
struct Period: Sendable {
    private let start: Moment
    private let end: Moment

    init(warmUp: Double, seconds: Double) {
        start = .now + .seconds(warmUp)
        end = start + .seconds(seconds)
    }

    func isOver(at moment: Moment) -> Bool {
        moment >= end
    }

    /// The latency of an operation that ended within the period; nil for others.
    func latency(from before: Moment, to after: Moment) -> UInt32? {
        start <= after && after < end ? Samples.units(after - before) : nil
    }
}
