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
