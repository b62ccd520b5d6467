import TillModel

extension ChargeRecord {
    /// The charge as operators see it.
    var summary: ChargeSummary {
        ChargeSummary(
            paymentID: request.paymentID,
            state: state.summary,
            amount: request.amount,
            currency: request.currency,
            attempts: attempts,
            reference: reference,
            dueAt: dueAt
        )
    }
}

extension ChargeRecord.State {
    /// The state as operators see it.
    var summary: ChargeSummary.State {
        switch self {
        case .waiting: .waiting
        case .open: .open
        case .succeeded: .succeeded
        case .declined: .declined
        case .unneeded: .unneeded
        case .needsReview: .needsReview
        case .held: .held
        }
    }
}
