/// What the simulated provider is told to do wrong, by product; everything else it does at once.
package struct SimulatedFaults: Hashable, Sendable {
    /// Charges are declined, every time.
    package var declined: Set<String> = []
    /// The first call for each charge or refund times out, and it did not happen.
    package var timeoutBeforeEffect: Set<String> = []
    /// The first call for each charge or refund times out, although it happened.
    package var timeoutAfterEffect: Set<String> = []
    /// The first call for each charge or refund times out, and it happens ``delay`` later, unless the process ends.
    package var timeoutDuringEffect: Set<String> = []
    /// Neither charges, refunds nor questions are answered.
    package var unreachable: Set<String> = []
    /// Charged, or given back, only after ``delay``.
    package var slow: Set<String> = []
    package var delay = Duration.seconds(5)
    /// Applications whose restores are refused.
    package var refusedRestores: Set<String> = []
    /// Refunds are declined, every time.
    package var declinedRefunds: Set<String> = []
    /// Identities are forgotten after ``SimulatedBook/memory``: asked about one, the provider knows nothing of it, and
    /// told to charge for it, it charges again.
    package var forgetsKeys = false

    package init() {}
}
