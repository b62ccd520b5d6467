typealias Moment = ContinuousClock.Instant

/// The time that is measured.
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

    /// What something took that ended within the period; nil for all else.
    func latency(from before: Moment, to after: Moment) -> UInt32? {
        start <= after && after < end ? Samples.units(after - before) : nil
    }
}
