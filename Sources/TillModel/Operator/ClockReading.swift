public import FoundationEssentials

/// What the store's clock shows.
public struct ClockReading: Hashable, Sendable {
    /// The furthest that the clock is advanced at once: 20 years of 366 days.
    package static let advanceMaximum = Duration.seconds(20 * 366 * 86400)

    public var now: Date
    /// How far it is ahead of the machine's clock.
    public var offset: Duration
    /// Whether it can be advanced, as only the simulated store's can.
    public var isAdjustable: Bool

    public init(
        now: Date,
        offset: Duration = .zero,
        isAdjustable: Bool = false
    ) {
        self.now = now
        self.offset = offset
        self.isAdjustable = isAdjustable
    }
}
