/// How long a soak takes, and how dense it is.
package struct SoakPlan: Sendable {
    package var duration: Duration
    /// Between two faults of one site, on average.
    package var faultInterval = Duration.seconds(10)
    /// Between two checks.
    package var epoch = Duration.seconds(300)
    /// Between two acts of one of a worker's hands, in milliseconds.
    package var pace = 100
    package var seed: UInt64

    package init(duration: Duration, seed: UInt64) {
        self.duration = duration
        self.seed = seed
    }
}
