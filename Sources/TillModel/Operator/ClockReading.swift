public import FoundationEssentials

/// A reading of the store's clock.
public struct ClockReading: Hashable, Sendable {
    /// The maximum by which the clock can be advanced at once: 20 years of 366 days.
    package static let advanceMaximum = Duration.seconds(20 * 366 * 86400)

    public var now: Date
    /// How far the clock is ahead of the machine's clock.
    public var offset: Duration
    /// Whether the clock can be advanced; only the simulated store's can.
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
