package import FoundationEssentials
package import TillEngine
package import TillModel

/// Where the simulated provider keeps its record. Any task may call any method at any time.
package protocol SimulatedStore: Sendable {
    /// Watches the record, until the task is cancelled.
    ///
    /// - Throws: An error once nothing can be recorded any more.
    func watch() async throws
    /// The newest charge for the payment.
    ///
    /// - Throws: `unavailable` if the record cannot be read, as the following methods do.
    func charge(_ paymentID: UUID) async throws(TillError) -> SimulatedCharge?
    /// The newest charge or refund of that identity that the provider still knows; nil if nothing of it was recorded.
    ///
    /// - Parameter date: Older entries are forgotten; nil when none are.
    func entry(_ key: SimulatedEntry.Key, forgetsSince date: Date?) async throws(TillError) -> SimulatedEntry?
    /// A page of the charges, in the order in which they were recorded.
    func record(after cursor: String?) async throws(TillError) -> ProviderRecordPage
    /// Records the charge or refund unless it is recorded already, and returns once it is durable.
    func save(_ call: SimulatedCall, at date: Date, forgetsSince: Date?) async -> SimulatedSaved
}

/// How a call of the simulated provider was recorded.
package enum SimulatedSaved: Hashable, Sendable {
    case done(reference: String)
    /// The refund is more than is left of the charge.
    case tooMuch
    /// Whether it is recorded is unknown.
    case failed

    var outcome: ChargeOutcome {
        switch self {
        case .done(let reference):
            .succeeded(reference: reference)
        case .tooMuch:
            .declined(
                PaymentError(
                    .unknown,
                    "The refund exceeds what is left of the charge.",
                    reason: .providerDeclined,
                    providerCode: "amount_too_large"
                )
            )
        case .failed:
            .unknown(reason: "the provider could not record it")
        }
    }
}
