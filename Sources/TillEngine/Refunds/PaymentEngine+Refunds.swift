import FoundationEssentials
package import TillModel

extension PaymentEngine {
    /// Takes back a purchase or a part of it, and returns once the provider has answered for the first time. While the
    /// outcome is unknown the refund stays open, and the engine keeps asking.
    ///
    /// The same order again is harmless, and shows the refund's state.
    ///
    /// - Throws: `notFound` for an unknown transaction, `failedPrecondition` that names what is left or the original to
    ///   refund, `alreadyExists` when the identity belongs to another refund, `invalidArgument`: nothing happened.
    ///   `unavailable` when the outcome is unknown.
    package func refund(
        _ order: RefundOrder,
        by identity: OperatorIdentity
    ) async throws(TillError) -> (RefundSummary, Transaction) {
        try identity.validate()
        try order.id.validate(asIdentityOf: "refund")
        guard (0...Payment.quantityRange.upperBound).contains(order.quantity) else {
            throw TillError(
                .invalidArgument,
                "The quantity must be 1 to \(Payment.quantityRange.upperBound), or 0 for all that is left."
            )
        }
        let isNew = try await commit { context in try self.parts.refunding.begin(order, by: identity, &context) }
        if isNew {
            try await refundJobs.process(order.id, isNew: true)
        }
        return try await read { ledger in
            guard let refund = try ledger.refund(order.id),
                let transaction = try ledger.transaction(key: refund.transactionKey)
            else {
                throw TillError(.dataLoss, "The refund \(order.id.text) is missing from the ledger.")
            }
            return (refund.summary, transaction.transaction(identifiedBy: self.numbering))
        }
    }

    /// What the order would take back now. Nothing happens.
    ///
    /// - Throws: As ``refund(_:by:)`` would.
    package func decision(about order: RefundOrder) async throws(TillError) -> RefundDecision {
        let decision = try await read { ledger -> Result<RefundDecision, TillError> in
            guard let transaction = try ledger.transaction(order.transactionID) else {
                return .failure(TillError(.notFound, "There is no transaction \(order.transactionID.text)."))
            }
            return try Refunding.decide(order, transaction, ledger)
        }
        return try decision.get()
    }
}
