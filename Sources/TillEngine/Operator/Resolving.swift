import FoundationEssentials
import TillModel

/// Continues purchases that wait for something outside the application, on an operator's command, each within a commit.
struct Resolving: Sendable {
    let purchasing: Purchasing
    let makeID: @Sendable () -> UUID

    func resolve(
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
                        ? "Say what the provider did: charged (--charged) or not charged (--not-charged)."
                        : "The charge of \(transaction.id.text) needs no review."
                )
            )
        }
        if case .charged = review, try isGroupBusy(transaction, charge, context) {
            return .failure(SubscriptionRecord.paymentUnderWay)
        }
        let detail = review.map(\.text) ?? "\(transaction.state)"
        try context.audit("Resolve", subject: transaction.id.text, detail: detail, by: identity)
        try context.note(transaction.key, by: identity, "resolved (\(detail))")
        if let review {
            return .success(try resolveReview(transaction, review, &context))
        }
        guard let purchase = try purchasing.purchase(of: transaction, context) else {
            return .success(transaction)
        }
        return .success(
            transaction.isInterrupted
                ? try continueInterrupted(purchase, &context)
                : try purchasing.proceed(purchase, after: .resolved, &context)
        )
    }

    /// Stores the provider's late answer about a charge, as an operator's finding is stored. While another payment for its
    /// group is under way, nothing changes.
    func settleReview(of charge: ChargeRecord, as outcome: ReviewOutcome, _ context: inout CommandContext) throws {
        guard let transaction = try charge.transactionKey.flatMap({ try context.ledger.transaction(key: $0) }) else {
            return
        }
        if case .charged = outcome, try isGroupBusy(transaction, charge, context) {
            return
        }
        try context.note(
            transaction.key,
            kind: .providerCall,
            "the provider answered about the charge: \(outcome.text)"
        )
        _ = try resolveReview(transaction, outcome, &context)
    }

    /// Whether another payment for the charge's subscription group is under way, which would conflict with a period
    /// that begins now.
    private func isGroupBusy(
        _ transaction: TransactionRecord,
        _ charge: ChargeRecord?,
        _ context: CommandContext
    ) throws -> Bool {
        guard let charge, let exclusiveGroup = charge.exclusiveGroup,
            transaction.productType == .autoRenewableSubscription
        else {
            return false
        }
        return try !context.ledger.unsettledCharges(exclusiveGroup: exclusiveGroup, in: charge.queue, limit: 1).isEmpty
    }

    /// The failed transaction stays as it is; another one, with a new payment, continues the purchase.
    private func continueInterrupted(_ purchase: Purchase, _ context: inout CommandContext) throws -> TransactionRecord
    {
        var interrupted = purchase.transaction
        interrupted.isInterrupted = false
        try context.updateSilently(interrupted)
        var payment = interrupted.payment
        payment.id = makeID()
        return try purchasing.begin(payment, continuing: interrupted.id, after: .resolved, in: purchase.queue, &context)
    }

    /// Stores an operator's finding about a charge whose outcome stayed unknown. If money moved, the purchase succeeds:
    /// the failed transaction is final, so another one continues it with its charge.
    ///
    /// - Returns: The transaction that continues the purchase; the failed one when no money moved.
    private func resolveReview(
        _ transaction: TransactionRecord,
        _ outcome: ReviewOutcome,
        _ context: inout CommandContext
    ) throws -> TransactionRecord {
        guard var charge = try context.ledger.charge(forTransaction: transaction.key), charge.state == .needsReview,
            let queue = try context.ledger.queue(key: transaction.queue)
        else {
            return transaction
        }
        charge.settle(outcome)
        switch outcome {
        case .notCharged:
            try context.save(charge)
            return transaction
        case .charged:
            var payment = transaction.payment
            payment.id = makeID()
            let continuing = TransactionRecord(
                queue: queue.key,
                id: payment.id,
                payment: payment,
                productType: transaction.productType,
                state: .purchasing,
                revision: 0,
                createdAt: context.now,
                continues: transaction.id,
                offer: transaction.offer,
                sale: transaction.sale
            )
            let purchase = Purchase(transaction: continuing, charge: charge, queue: queue)
            let granted = try purchasing.grant(purchase, ownedBy: nil, &context)
            try context.note(granted.key, "continues \(transaction.id.text), whose charge was under review")
            return granted
        }
    }

    /// The transaction's subscription, if its renewal is unpaid, or under review; a renewal may be under review even
    /// after the subscription has ended or was bought again.
    static func subscription(
        toResolve id: UUID,
        _ review: ReviewOutcome?,
        _ ledger: any LedgerReader
    ) throws -> SubscriptionRecord? {
        guard let term = try ledger.transaction(id)?.term,
            let subscription = try ledger.subscription(key: term.subscription)
        else {
            return nil
        }
        let isInReview = try review != nil && ledger.chargeInReview(ofSubscription: subscription.key) != nil
        return subscription.isUnpaid || isInReview ? subscription : nil
    }
}

extension TransactionRecord {
    fileprivate func needsResolution(_ charge: ChargeRecord?) -> Bool {
        isInterrupted || blocker == .resolution || charge?.state == .needsReview
    }
}

extension ReviewOutcome {
    /// The outcome as text for the audit log and histories.
    var text: String {
        switch self {
        case .charged(let reference?): "charged as \(reference)"
        case .charged(nil): "charged"
        case .notCharged: "not charged"
        }
    }
}
