import FoundationEssentials
import TillModel

/// The next step for a charge or a refund, given the provider's answer.
enum ChargeStep: Equatable {
    case settle(DefiniteOutcome)
    /// The provider does not know it and cannot have forgotten it: charge with the same identity.
    case charge
    /// Ask again at this time.
    case retry(at: Date)

    /// The longest wait between two queries.
    static let backoffMaximum: TimeInterval = 60
    /// After so many doublings the wait is at its longest.
    private static let doublings = 6
    /// No stored date lies further ahead than this, unless the clock was set back since.
    static let horizon = backoffMaximum + 5
    /// If the clock was set back by more, it no longer shows how long ago a charge began. This is what the longest
    /// deadline leaves of the 24 hours after which a provider may have forgotten the charge.
    static let setBackMaximum: TimeInterval = 3600

    /// The step after the provider's answer to a charge.
    static func after(_ outcome: ChargeOutcome, of charge: some ProviderCall, now: Date, deadline: Duration)
        -> ChargeStep
    {
        switch outcome {
        case .succeeded(let reference): .settle(.succeeded(reference: reference))
        case .declined(let error): .settle(.declined(error))
        case .unknown(let reason): retryOrAbandon(charge, reason: reason, now: now, deadline: deadline)
        }
    }

    /// The step after the provider's answer to a query.
    static func after(_ status: ChargeStatus, of charge: some ProviderCall, now: Date, deadline: Duration) -> ChargeStep
    {
        switch status {
        case .settled(let outcome):
            after(outcome, of: charge, now: now, deadline: deadline)
        case .notFound where mayBeForgotten(charge, now: now, deadline: deadline):
            .settle(.abandoned(reason: "it does not know the request, and may have forgotten it"))
        case .notFound:
            .charge
        case .unreachable(let reason):
            retryOrAbandon(charge, reason: reason, now: now, deadline: deadline)
        }
    }

    /// Whether a provider that does not know the charge may have forgotten its identity, so that charging again could
    /// charge twice.
    static func mayBeForgotten(_ charge: some ProviderCall, now: Date, deadline: Duration) -> Bool {
        isPast(deadline, of: charge, now: now) || isAheadOfClock(charge, now: now)
    }

    private static func retryOrAbandon(_ charge: some ProviderCall, reason: String, now: Date, deadline: Duration)
        -> ChargeStep
    {
        guard !isPast(deadline, of: charge, now: now) else {
            return .settle(.abandoned(reason: reason))
        }
        return .retry(at: nextQuestion(after: charge.attempts, now: now))
    }

    /// When to ask again after so many calls without a clear answer, and one more now.
    static func nextQuestion(after attempts: Int, now: Date) -> Date {
        now.addingTimeInterval(min(backoffMaximum, Double(1 << min(attempts, doublings))))
    }

    /// Whether the deadline has passed by the clock, or by the waits so far in case the clock was set back.
    private static func isPast(_ deadline: Duration, of charge: some ProviderCall, now: Date) -> Bool {
        now >= charge.createdAt.addingTimeInterval(deadline.timeInterval)
            || waited(charge.attempts) >= deadline.timeInterval
    }

    /// The sum of the waits before as many attempts.
    private static func waited(_ attempts: Int) -> TimeInterval {
        let doubled = Double((1 << min(attempts, doublings)) - 1)
        return doubled + Double(max(0, attempts - doublings)) * backoffMaximum
    }

    private static func isAheadOfClock(_ charge: some ProviderCall, now: Date) -> Bool {
        now < charge.createdAt.addingTimeInterval(-setBackMaximum)
    }
}

extension ChargeStep {
    /// The step that the provider's answer leads to, for the history.
    var text: String {
        switch self {
        case .settle(.succeeded(let reference)): "succeeded, as \(reference)"
        case .settle(.declined(let error)): "declined: \(error.message)"
        case .settle(.abandoned(let reason)): "unknown, and no longer retried: \(reason)"
        case .charge: "the provider does not know it"
        case .retry: "no clear answer; the provider will be asked again"
        }
    }
}

extension Duration {
    /// In seconds.
    var timeInterval: TimeInterval {
        TimeInterval(components.seconds) + TimeInterval(components.attoseconds) / 1e18
    }
}
