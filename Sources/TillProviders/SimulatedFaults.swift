/// What the simulated provider is told to do wrong, by product; everything else it charges at once.
package struct SimulatedFaults: Hashable, Sendable {
    /// Declined, every time.
    package var declined: Set<String> = []
    /// The first charge of each payment times out, and nothing was charged.
    package var timeoutBeforeEffect: Set<String> = []
    /// The first charge of each payment times out, although it was charged.
    package var timeoutAfterEffect: Set<String> = []
    /// Neither charges nor questions are answered.
    package var unreachable: Set<String> = []
    /// Charged only after ``delay``.
    package var slow: Set<String> = []
    package var delay = Duration.seconds(5)
    /// Applications whose restores are refused.
    package var refusedRestores: Set<String> = []

    package init() {}
}
