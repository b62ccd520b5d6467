import TillModel

/// What an answer of the provider makes of a purchasing transaction and its charge.
struct SettlementDecision: Equatable {
    var transactionState: TransactionState
    var error: PaymentError?
    var isEntitlement = false
    var chargeState: ChargeRecord.State
    var reference: String?

    /// - Parameters:
    ///   - outcome: A definite answer.
    ///   - isRestorable: Whether the product is bought once.
    static func decide(_ outcome: DefiniteOutcome, isRestorable: Bool) -> SettlementDecision {
        switch outcome {
        case .succeeded(let reference):
            SettlementDecision(
                transactionState: .purchased,
                isEntitlement: isRestorable,
                chargeState: .succeeded,
                reference: reference
            )
        case .declined(let error):
            SettlementDecision(transactionState: .failed, error: error, chargeState: .declined)
        case .abandoned(let reason):
            SettlementDecision(
                transactionState: .failed,
                error: PaymentError(
                    .unknown,
                    "The provider's answer is unknown (\(reason)); an operator has to review the payment.",
                    moneyMoved: .unknown,
                    retry: .afterReconciliation
                ),
                chargeState: .needsReview
            )
        }
    }
}

/// How a charge ended.
enum DefiniteOutcome: Equatable, Sendable {
    case succeeded(reference: String)
    case declined(PaymentError)
    /// Still unknown at the deadline.
    case abandoned(reason: String)
}
