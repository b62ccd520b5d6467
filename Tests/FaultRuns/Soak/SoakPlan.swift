/// The duration of a soak, and the rate of its faults.
package struct SoakPlan: Sendable {
    package var duration: Duration
    /// The average time between two faults of one site.
    package var faultInterval = Duration.seconds(10)
    /// The time between two checks.
    package var epoch = Duration.seconds(300)
    /// The time between two acts of one task of a worker, in milliseconds.
    package var pace = 100
    package var seed: UInt64

    package init(duration: Duration, seed: UInt64) {
        self.duration = duration
        self.seed = seed
    }
}
