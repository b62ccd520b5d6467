import TillModel

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
    /// For people.
    var text: String {
        switch self {
        case .open: "not answered"
        case .succeeded: "done"
        case .failed: "refused by the provider"
        case .needsReview: "the provider's answer stayed unknown"
        }
    }
}
