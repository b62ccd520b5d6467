package import FoundationEssentials
package import TillModel

extension PaymentEngine {
    /// Lets go on what waits for something outside the application: an interrupted purchase, a renewal that was not paid
    /// for, or a charge or refund whose outcome is unknown.
    ///
    /// - Parameters:
    ///   - review: What became of a charge that needs review; only for one.
    /// - Returns: The transaction that continues the purchase, once the provider has answered or has not for a while; for
    ///   a renewal, the one given.
    /// - Throws: `notFound`; `failedPrecondition` when there is nothing to resolve, or a review needs its outcome:
    ///   nothing happened.
    package func resolve(
        _ id: UUID,
        review: ReviewOutcome?,
        by identity: OperatorIdentity
    ) async throws(TillError) -> Transaction {
        let subscription = try await read { (ledger) throws -> SubscriptionRecord? in
            try Self.subscription(toResolve: id, review, ledger)
        }
        if let subscription {
            try await resolveBilling(ofSubscription: subscription.key, review: review, by: identity)
            await settleCharges()
            return try await transaction(id)
        }
        let record = try await commit { context -> Result<TransactionRecord, TillError> in
            guard let transaction = try context.ledger.transaction(id) else {
                return try self.resolveRefund(id, review, by: identity, &context)
            }
            return try self.resolve(transaction, review, by: identity, &context)
        }
        guard record.blocker == .provider else {
            return record.transaction(identifiedBy: numbering)
        }
        await settleCharges()
        return try await transaction(record.id)
    }

    /// The transaction, in whichever queue.
    func transaction(_ id: UUID) async throws(TillError) -> Transaction {
        guard let record = try await read({ try $0.transaction(id) }) else {
            throw TillError(.notFound, "There is no transaction \(id.text).")
        }
        return record.transaction(identifiedBy: numbering)
    }

    /// The transaction's subscription, if its renewal is unpaid or in review; the latter also once it has ended or was
    /// bought again.
    private static func subscription(
        toResolve id: UUID,
        _ review: ReviewOutcome?,
        _ ledger: any LedgerReader
    ) throws -> SubscriptionRecord? {
        guard let term = try ledger.transaction(id)?.term,
            let subscription = try ledger.subscription(key: term.subscription)
        else {
            return nil
        }
        let isUnpaid = subscription.state == .inBillingRetryPeriod || subscription.state == .inGracePeriod
        let isInReview = try review != nil && ledger.chargeInReview(ofSubscription: subscription.key) != nil
        return isUnpaid || isInReview ? subscription : nil
    }

    private func resolve(
        _ transaction: TransactionRecord,
        _ review: ReviewOutcome?,
        by identity: OperatorIdentity,
        _ context: inout CommandContext
    ) throws -> Result<TransactionRecord, TillError> {
        let charge = try context.ledger.charge(forTransaction: transaction.key)
        guard transaction.needsResolution(charge) else {
            return .failure(
                TillError(
                    .failedPrecondition,
                    "There is nothing to resolve about the transaction \(transaction.id.text)."
                )
            )
        }
        let isReview = charge?.state == .needsReview
        guard isReview == (review != nil) else {
            return .failure(
                TillError(
                    .failedPrecondition,
                    isReview
                        ? "Say what the provider did: charged or not charged."
                        : "The charge of \(transaction.id.text) needs no review."
                )
            )
        }
        if case .charged = review, try isGroupBusy(transaction, charge, context) {
            return .failure(SubscriptionRecord.paymentUnderWay)
        }
        let detail = review.map(\.text) ?? "\(transaction.state)"
        try context.audit("Resolve", subject: transaction.id.text, detail: detail, by: identity)
        try context.note(transaction.key, by: "uid:\(identity.uid)", "resolved (\(detail))")
        if let review {
            return .success(try resolveReview(transaction, review, &context))
        }
        guard let purchase = try purchase(of: transaction, context) else {
            return .success(transaction)
        }
        return .success(
            transaction.isInterrupted
                ? try continueInterrupted(purchase, &context)
                : try proceed(purchase, after: .resolved, &context)
        )
    }

    /// Whether another payment for the subscription group that the charge was for is under way, which a period that begins
    /// now would get in the way of.
    private func isGroupBusy(
        _ transaction: TransactionRecord,
        _ charge: ChargeRecord?,
        _ context: CommandContext
    ) throws -> Bool {
        guard let charge, let exclusivity = charge.exclusivity,
            transaction.productType == .autoRenewableSubscription
        else {
            return false
        }
        return try isPaymentUnderWay(exclusivity, in: charge.queue, context)
    }

    /// The failed transaction stays as it is; another one, with a payment of its own, continues the purchase.
    private func continueInterrupted(_ purchase: Purchase, _ context: inout CommandContext) throws -> TransactionRecord
    {
        var interrupted = purchase.transaction
        interrupted.isInterrupted = false
        try context.restate(interrupted)
        var payment = interrupted.payment
        payment.id = makeID()
        return try begin(payment, continuing: interrupted.id, after: .resolved, in: purchase.queue, &context)
    }
}

extension TransactionRecord {
    fileprivate func needsResolution(_ charge: ChargeRecord?) -> Bool {
        isInterrupted || blocker == .resolution || charge?.state == .needsReview
    }
}
