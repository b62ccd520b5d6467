package import FoundationEssentials
package import TillModel

extension PaymentEngine {
    /// Continues work that waits for something outside the application: an interrupted purchase, an unpaid renewal, or
    /// a charge or refund whose outcome is unknown.
    ///
    /// - Parameters:
    ///   - review: The outcome of a charge or refund that needs review; nil otherwise.
    /// - Returns: The transaction that continues the purchase, once the provider has answered or after a time limit;
    ///   for a renewal, the given transaction.
    /// - Throws: `notFound`; `failedPrecondition` when there is nothing to resolve, or a review needs its outcome:
    ///   nothing happened.
    package func resolve(
        _ id: UUID,
        review: ReviewOutcome?,
        by identity: OperatorIdentity
    ) async throws(TillError) -> Transaction {
        let subscription = try await read { (ledger) throws -> SubscriptionRecord? in
            try Resolving.subscription(toResolve: id, review, ledger)
        }
        if let subscription {
            try await resolveBilling(ofSubscription: subscription.key, review: review, by: identity)
            await settleCharges()
            return try await transaction(id)
        }
        let record = try await commit { context -> Result<TransactionRecord, TillError> in
            guard let transaction = try context.ledger.transaction(id) else {
                return try self.parts.refunding.resolve(id, review, by: identity, &context)
            }
            return try self.parts.resolving.resolve(transaction, review, by: identity, &context)
        }
        guard record.blocker == .provider else {
            return record.transaction(identifiedBy: numbering)
        }
        await settleCharges()
        return try await transaction(record.id)
    }

    /// The transaction, in any queue.
    func transaction(_ id: UUID) async throws(TillError) -> Transaction {
        guard let record = try await read({ try $0.transaction(id) }) else {
            throw TillError(.notFound, "There is no transaction \(id.text).")
        }
        return record.transaction(identifiedBy: numbering)
    }

    func resolveBilling(
        ofSubscription key: Int64,
        review: ReviewOutcome? = nil,
        by identity: OperatorIdentity
    ) async throws(TillError) {
        try await commit { context in
            try self.parts.renewing.resolveBilling(ofSubscription: key, review: review, by: identity, &context)
        }
    }
}
