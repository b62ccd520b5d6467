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

extension RefundRecord {
    /// The refund as operators see it.
    var summary: RefundSummary {
        RefundSummary(
            id: id,
            quantity: quantity,
            amount: amount,
            currency: currency,
            reason: reason,
            state: summaryState,
            reference: reference,
            createdAt: createdAt
        )
    }

    private var summaryState: RefundSummary.State {
        switch state {
        case .open: .open
        case .succeeded: .succeeded
        case .failed: .failed
        case .needsReview: .needsReview
        }
    }
}

extension RefundRecord.State {
    /// The state as text for people.
    var text: String {
        switch self {
        case .open: "not answered"
        case .succeeded: "done"
        case .failed: "refused by the provider"
        case .needsReview: "the provider's answer stayed unknown"
        }
    }
}
