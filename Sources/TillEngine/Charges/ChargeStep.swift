import FoundationEssentials
import TillModel

/// The next step for a charge or a refund, given the provider's answer.
enum ChargeStep: Equatable {
    case settle(DefiniteOutcome)
    /// The provider does not know it and cannot have forgotten it: charge with the same identity.
    case charge
    /// Ask again at this time.
    case retry(at: Date)
    /// Ask again at this time, as if the provider had not been asked.
    case wait(for: Wait, until: Date)
    /// The deadline has passed: withdraw the prepared charge.
    case withdraw(reason: String)

    /// What a charge waits for that is neither an answer nor the lack of one.
    enum Wait: Equatable {
        /// The provider, which takes no calls now.
        case busyProvider
        /// The payer, who has to act.
        case payer
        /// The arrival of the money.
        case settlement
    }

    /// The longest wait between two queries. A process that starts keeps the waits of the one before, so that the promise
    /// of an answer within 60 seconds leaves ten for the start and the query.
    static let backoffMaximum: TimeInterval = 50
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
        case .busy(let pause):
            isPast(deadline, of: charge, now: now)
                ? giveUp(charge, reason: "the provider is busy")
                : .wait(for: .busyProvider, until: end(of: pause, now: now))
        case .payerAction where isPast(deadline, of: charge, now: now):
            giveUp(charge, reason: "the payer has not acted")
        case .payerAction where isAheadOfClock(charge, now: now):
            giveUp(charge, reason: "the clock was set back")
        case .payerAction:
            .wait(for: .payer, until: nextLook(at: charge, now: now))
        case .pending:
            .wait(for: .settlement, until: now.addingTimeInterval(backoffMaximum))
        }
    }

    /// The step after the provider's answer to a request to prepare the charge: nothing was charged without a reference.
    ///
    /// - Parameter deadline: How long it is tried.
    static func after(
        _ preparation: Preparation,
        of charge: some ProviderCall,
        now: Date,
        deadline: Duration
    ) -> ChargeStep {
        switch preparation {
        case .ready: .charge
        case .declined(let error): .settle(.declined(error))
        case _ where isPast(deadline, of: charge, now: now): .settle(.declined(unreachable))
        case .unknown: .retry(at: nextQuestion(after: charge.attempts, now: now))
        case .busy(let pause): .wait(for: .busyProvider, until: end(of: pause, now: now))
        }
    }

    /// The step after the provider's answer to a request to withdraw the charge.
    static func after(withdrawal status: ChargeStatus, now: Date) -> ChargeStep {
        switch status {
        case .settled(.succeeded(let reference)): .settle(.succeeded(reference: reference))
        case .settled(.declined(let error)): .settle(.declined(error))
        case .settled(.unknown(let reason)), .unreachable(let reason): .settle(.abandoned(reason: reason))
        case .settled(.busy): .settle(.abandoned(reason: "the provider is busy"))
        case .settled(.pending): .wait(for: .settlement, until: now.addingTimeInterval(backoffMaximum))
        case .settled(.payerAction), .ready, .notFound: .settle(.abandoned(reason: "it could not be withdrawn"))
        }
    }

    /// The step after the provider's answer to a query.
    static func after(_ status: ChargeStatus, of charge: some ProviderCall, now: Date, deadline: Duration) -> ChargeStep
    {
        switch status {
        case .settled(let outcome):
            after(outcome, of: charge, now: now, deadline: deadline)
        case .ready where isPast(deadline, of: charge, now: now):
            .withdraw(reason: "the deadline has passed")
        case .ready:
            .charge
        case .notFound where !charge.isForgettable:
            .settle(.abandoned(reason: "it does not know the charge that it prepared"))
        case .notFound where isTooLate(for: charge, now: now, deadline: deadline):
            .settle(.abandoned(reason: "it does not know the request, and may have forgotten it"))
        case .notFound:
            .charge
        case .unreachable(let reason):
            retryOrAbandon(charge, reason: reason, now: now, deadline: deadline)
        }
    }

    /// Whether it is too late to charge: the deadline has passed, or a provider that does not know the charge may have
    /// forgotten its identity, so that charging again could charge twice.
    static func isTooLate(for charge: some ProviderCall, now: Date, deadline: Duration) -> Bool {
        isPast(deadline, of: charge, now: now) || charge.isForgettable && isAheadOfClock(charge, now: now)
    }

    private static func retryOrAbandon(_ charge: some ProviderCall, reason: String, now: Date, deadline: Duration)
        -> ChargeStep
    {
        guard !isPast(deadline, of: charge, now: now) else {
            return giveUp(charge, reason: reason)
        }
        return .retry(at: nextQuestion(after: charge.attempts, now: now))
    }

    private static func giveUp(_ charge: some ProviderCall, reason: String) -> ChargeStep {
        charge.isForgettable ? .settle(.abandoned(reason: reason)) : .withdraw(reason: reason)
    }

    /// When to ask a busy provider again: after a second at least, and the longest wait at most.
    private static func end(of pause: Duration, now: Date) -> Date {
        now.addingTimeInterval(min(max(1, pause.timeInterval), backoffMaximum))
    }

    /// When to look whether the payer has acted: soon at first, as somebody waits for it.
    private static func nextLook(at charge: some ProviderCall, now: Date) -> Date {
        let age = now.timeIntervalSince(charge.createdAt)
        return now.addingTimeInterval(min(max(shortestLook, age / 60), backoffMaximum))
    }

    /// The shortest wait for a payer who acts, in seconds.
    static let shortestLook: TimeInterval = 2

    private static let unreachable = PaymentError(
        .cloudServiceNetworkConnectionFailed,
        "The provider could not be reached, and nothing was charged; try again later.",
        reason: .unreachable
    )

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
        case .wait(.busyProvider, _): "the provider is busy, and will be asked again"
        case .wait(.payer, _): "the payer has to act"
        case .wait(.settlement, _): "the money is on its way"
        case .withdraw(let reason): "not charged in time, and to be withdrawn: \(reason)"
        }
    }
}

extension Duration {
    /// In seconds.
    var timeInterval: TimeInterval {
        TimeInterval(components.seconds) + TimeInterval(components.attoseconds) / 1e18
    }
}
