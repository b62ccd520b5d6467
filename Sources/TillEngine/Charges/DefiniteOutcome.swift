import TillModel

/// How a charge ended.
enum DefiniteOutcome: Equatable, Sendable {
    case succeeded(reference: String)
    case declined(PaymentError)
    /// Still unknown at the deadline.
    case abandoned(reason: String)

    /// What its transaction fails with; nil when it was paid.
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
}

extension PaymentError {
    fileprivate func with(_ reason: FailureReason) -> PaymentError {
        var error = self
        error.reason = reason
        return error
    }
}
