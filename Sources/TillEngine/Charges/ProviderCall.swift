import FoundationEssentials
import TillModel

/// An intent that the provider is called for, which is in the ledger before the first call.
protocol ProviderCall {
    /// How often the provider was called for it without a clear answer.
    var attempts: Int { get }
    var createdAt: Date { get }
    /// When the next call is due.
    var dueAt: Date { get }
    /// Whether the provider can forget it. Otherwise it has a name at the provider, and can be withdrawn.
    var isForgettable: Bool { get }
}

extension ChargeRecord: ProviderCall {
    /// A keyed provider's charge has no reference before it is settled.
    var isForgettable: Bool {
        reference == nil
    }
}

extension RefundRecord: ProviderCall {
    var isForgettable: Bool { true }
}

extension ProviderCall {
    /// Whether a look for due work finds it: it is due, or lies so far ahead that the clock must have been set back.
    func isDue(at now: Date) -> Bool {
        dueAt <= now || dueAt > now.addingTimeInterval(ChargeStep.horizon)
    }
}

/// The collaborators of jobs that call the provider and store its answers.
struct ProviderCalls: Sendable {
    let provider: BoundedProvider
    let access: LedgerAccess
    let time: any TimeSource
    /// How long a job retries while the outcome is unknown.
    let deadline: Duration
    /// How long a job asks the provider to prepare a charge.
    let preparationDeadline: Duration

    init(
        _ provider: BoundedProvider,
        _ access: LedgerAccess,
        _ time: any TimeSource,
        _ configuration: EngineConfiguration
    ) {
        self.provider = provider
        self.access = access
        self.time = time
        deadline = configuration.purchasingDeadline
        preparationDeadline = configuration.preparationDeadline
    }
}

extension ProviderCall where Self: Sendable {
    /// A check for right before the call: whether the deadline has passed, or the provider may have forgotten an earlier
    /// call for the charge or refund.
    func latenessCheck(isNew: Bool, _ time: any TimeSource, deadline: Duration) -> @Sendable () -> Bool {
        { !isNew && ChargeStep.isTooLate(for: self, now: time.now(), deadline: deadline) }
    }
}

/// How a charge ended.
enum DefiniteOutcome: Equatable, Sendable {
    case succeeded(reference: String)
    case declined(PaymentError)
    /// Still unknown at the deadline.
    case abandoned(reason: String)

    /// The error that its transaction fails with; nil when it was paid.
    var error: PaymentError? {
        switch self {
        case .succeeded:
            nil
        case .declined(let error):
            error.reason == .unspecified ? error.with(.providerDeclined) : error
        case .abandoned(let reason):
            PaymentError(
                .unknown,
                "The provider's answer is unknown (\(reason)); an operator has to review the payment.",
                moneyMoved: .unknown,
                retry: .afterReconciliation,
                reason: .outcomeUnknown
            )
        }
    }
}

extension ChargeRecord {
    /// Ends the charge with the provider's answer.
    mutating func settle(_ outcome: DefiniteOutcome) {
        switch outcome {
        case .succeeded(let reference):
            state = .succeeded
            self.reference = reference
        case .declined:
            state = .declined
        case .abandoned:
            state = .needsReview
        }
    }

    /// Ends the charge, which was in review, with what the provider did. If only the outcome is known, the charge keeps the
    /// name that the provider gave to it.
    mutating func settle(_ review: ReviewOutcome) {
        switch review {
        case .charged(let reference):
            state = .succeeded
            self.reference = reference ?? self.reference
        case .notCharged:
            state = .declined
        }
    }
}

extension PaymentError {
    fileprivate func with(_ reason: FailureReason) -> PaymentError {
        var error = self
        error.reason = reason
        return error
    }
}
