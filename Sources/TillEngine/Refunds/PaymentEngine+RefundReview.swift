import FoundationEssentials
import TillModel

extension PaymentEngine {
    /// Stores what an operator found out about a refund whose outcome stayed unknown: it was given back, and revokes, or it
    /// was not, and may be ordered again.
    ///
    /// - Parameter id: The refund's identity.
    /// - Returns: The transaction that it is of.
    func resolveRefund(
        _ id: UUID,
        _ review: ReviewOutcome?,
        by identity: OperatorIdentity,
        _ context: inout CommandContext
    ) throws -> Result<TransactionRecord, TillError> {
        guard let refund = try context.ledger.refund(id) else {
            return .failure(TillError(.notFound, "There is no transaction and no refund \(id.text)."))
        }
        guard refund.state == .needsReview, let review else {
            return .failure(
                TillError(
                    .failedPrecondition,
                    refund.state == .needsReview
                        ? "Say what the provider did: charged, for given back, or not charged."
                        : "The refund \(id.text) needs no review."
                )
            )
        }
        try context.audit("Resolve", subject: id.text, detail: "refund \(review.text)", by: identity)
        try context.note(refund.transactionKey, by: identity.actor, "refund \(id.text) resolved (\(review.text))")
        switch review {
        case .charged(let reference): try settle(refund, as: .succeeded, reference: reference, &context)
        case .notCharged: try settle(refund, as: .failed, reference: nil, &context)
        }
        guard let transaction = try context.ledger.transaction(key: refund.transactionKey) else {
            throw TillError(.dataLoss, "The transaction that the refund \(id.text) is of is gone from the ledger.")
        }
        return .success(transaction)
    }
}
