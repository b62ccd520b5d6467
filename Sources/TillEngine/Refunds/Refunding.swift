import FoundationEssentials
import TillModel

/// Orders and settles refunds, each step within a commit.
struct Refunding: Sendable {
    /// How long after its commit a refund is left to the call that committed it, in seconds.
    static let lease = 5.0

    let receipts: Receipts
    let makeID: @Sendable () -> UUID

    /// - Returns: Whether it began now; false when it was ordered before.
    func begin(
        _ order: RefundOrder,
        by identity: OperatorIdentity,
        _ context: inout CommandContext
    ) throws -> Result<Bool, TillError> {
        guard let transaction = try context.ledger.transaction(order.transactionID) else {
            return .failure(TillError(.notFound, "There is no transaction \(order.transactionID.text)."))
        }
        if let existing = try context.ledger.refund(order.id) {
            return existing.isOf(order, transaction)
                ? .success(false)
                : .failure(TillError(.alreadyExists, "The identity \(order.id.text) belongs to another refund."))
        }
        switch try Self.decide(order, transaction, context.ledger) {
        case .failure(let error):
            return .failure(error)
        case .success(let decision):
            try context.audit("Refund", subject: transaction.id.text, detail: order.detail(decision), by: identity)
            try add(order, decision, to: transaction, by: identity, &context)
            return .success(true)
        }
    }

    /// What the refund of this transaction would take back now.
    static func decide(_ order: RefundOrder, _ transaction: TransactionRecord, _ ledger: any LedgerReader) throws
        -> Result<RefundDecision, TillError>
    {
        let facts = RefundDecision.Facts(
            transaction: transaction,
            charge: try ledger.charge(forTransaction: transaction.key),
            refunds: try ledger.refunds(ofTransaction: transaction.key)
        )
        return RefundDecision.decide(order, facts)
    }

    private func add(
        _ order: RefundOrder,
        _ decision: RefundDecision,
        to transaction: TransactionRecord,
        by identity: OperatorIdentity,
        _ context: inout CommandContext
    ) throws {
        let refund = RefundRecord(
            id: order.id,
            transactionKey: transaction.key,
            queue: transaction.queue,
            quantity: decision.quantity,
            amount: decision.amount,
            keepsMoney: order.keepsMoney,
            currency: decision.currency,
            reason: order.reason,
            createdAt: context.now,
            dueAt: context.now.addingTimeInterval(Self.lease)
        )
        try context.ledger.insert(refund)
        try context.note(transaction.key, by: identity, "refund of \(refund.text) ordered")
        if refund.amount == 0 {
            try settle(refund, as: .succeeded, reference: nil, &context)
        }
    }

    /// Stores an operator's finding about a refund whose outcome stayed unknown: either it succeeded and revokes the
    /// purchase, or it failed and may be ordered again.
    ///
    /// - Parameter id: The refund's identity.
    /// - Returns: The refunded transaction.
    func resolve(
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
                        ? "Say what the provider did: --charged (the money was given back) or --not-charged."
                        : "The refund \(id.text) needs no review."
                )
            )
        }
        try context.audit("Resolve", subject: id.text, detail: "refund \(review.text)", by: identity)
        try context.note(refund.transactionKey, by: identity, "refund \(id.text) resolved (\(review.text))")
        switch review {
        case .charged(let reference):
            // A refund that the provider's news are about keeps the name that they have for it.
            try settle(refund, as: .succeeded, reference: refund.reference ?? reference, &context)
        case .notCharged: try settle(refund, as: .failed, reference: nil, &context)
        }
        guard let transaction = try context.ledger.transaction(key: refund.transactionKey) else {
            throw TillError(.dataLoss, "The transaction of the refund \(id.text) is missing from the ledger.")
        }
        return .success(transaction)
    }

    /// Stores how a refund or a dispute ended. A successful one revokes its part of the purchase; one that failed after it
    /// had succeeded gives that part back to the account.
    ///
    /// - Parameter isDispute: Whether it is known to be a dispute, also if it is not among the transaction's open ones.
    func settle(
        _ refund: RefundRecord,
        as state: RefundRecord.State,
        reference: String?,
        isDispute: Bool = false,
        _ context: inout CommandContext
    ) throws {
        let wasOpen = try closeDispute(reference ?? refund.reference, of: refund.transactionKey, &context)
        try settleMoney(refund, as: state, reference: reference, &context)
        if isDispute || wasOpen, state == .succeeded {
            try stopRenewal(afterLossOf: refund.transactionKey, &context)
        }
        if wasOpen {
            try resumeRenewals(in: refund.queue, &context)
        }
    }

    private func settleMoney(
        _ refund: RefundRecord,
        as state: RefundRecord.State,
        reference: String?,
        _ context: inout CommandContext
    ) throws {
        var settled = refund
        settled.state = state
        settled.reference = reference ?? refund.reference
        try context.ledger.update(settled)
        try context.note(refund.transactionKey, "refund of \(refund.text): \(state.text)")
        guard refund.quantity > 0 else {
            return
        }
        if state == .succeeded {
            try revoke(settled, &context)
        } else if state == .failed, try !passOn(settled, &context) {
            try reinstate(settled, &context)
        }
    }

    /// Gives what a failed refund held to another one, if all money went back without it. The other one's news may have come
    /// while nothing was left to hold, although it ended first.
    ///
    /// - Returns: Whether it was given, so that the purchase is revoked as before or from now on.
    private func passOn(_ failed: RefundRecord, _ context: inout CommandContext) throws -> Bool {
        let succeeded = try context.ledger.refunds(ofTransaction: failed.transactionKey).filter {
            $0.state == .succeeded
        }
        guard let charge = try context.ledger.charge(forTransaction: failed.transactionKey), var heir = succeeded.last,
            succeeded.reduce(0, { $0 + $1.amount }) >= charge.request.amount, charge.request.amount > 0
        else {
            return false
        }
        heir.quantity += failed.quantity
        try context.ledger.update(heir)
        let revoked = try context.ledger.transaction(key: failed.transactionKey)?.revocation?.quantity ?? 0
        if succeeded.reduce(failed.quantity, { $0 + $1.quantity }) > revoked {
            try revoke(heir, &context)
        }
        return true
    }

    /// Takes back the revocation of what no other refund holds: one that has succeeded, or that the provider named and an
    /// operator has to decide about.
    private func reinstate(_ refund: RefundRecord, _ context: inout CommandContext) throws {
        guard var transaction = try context.ledger.transaction(key: refund.transactionKey),
            let revocation = transaction.revocation
        else {
            return
        }
        let quantity = try quantity(refundedOf: transaction, context) {
            $0.state == .succeeded || $0.state == .needsReview && $0.reference != nil
        }
        guard quantity < revocation.quantity else {
            return
        }
        let wasWhole = transaction.isFullyRevoked
        transaction.revocation =
            quantity > 0 ? Revocation(date: revocation.date, reason: revocation.reason, quantity: quantity) : nil
        transaction.isRevocationPending = transaction.isRevocationPending && quantity > 0
        if wasWhole, let type = transaction.productType {
            transaction.isEntitlement = type != .consumable
        }
        try receipts.signAgain(&transaction, context)
        let reinstated = try context.save(transaction)
        try context.note(reinstated.key, "the revocation was reversed")
        if reinstated.term != nil {
            try context.reinstateSubscription(of: reinstated)
        }
    }

    private func quantity(
        refundedOf transaction: TransactionRecord,
        _ context: CommandContext,
        where isCounted: (RefundRecord) -> Bool
    ) throws -> Int {
        try context.ledger.refunds(ofTransaction: transaction.key).filter(isCounted).reduce(0) { $0 + $1.quantity }
    }

    private func revoke(_ refund: RefundRecord, _ context: inout CommandContext) throws {
        guard var transaction = try context.ledger.transaction(key: refund.transactionKey) else {
            return
        }
        // A refund that had passed on what it held may succeed after all.
        let quantity = min(
            try quantity(refundedOf: transaction, context) { $0.state == .succeeded },
            transaction.payment.quantity
        )
        // The order of the two dates decides which change was the last, even after the clock was set back.
        let date = max(context.now, transaction.finishedAt ?? context.now)
        transaction.revocation = Revocation(date: date, reason: refund.reason, quantity: quantity)
        transaction.isRevocationPending = true
        let isWhole = quantity >= transaction.payment.quantity
        if isWhole {
            transaction.isEntitlement = false
        }
        try receipts.signAgain(&transaction, context)
        let revoked = try context.save(transaction)
        if isWhole {
            try revokeCopies(of: revoked, for: refund.reason, &context)
        }
        if revoked.term != nil {
            try context.revokeSubscription(of: revoked)
        }
    }

    /// Revokes the unfinished copies of a purchase too: each is delivered and signed as a separate purchase.
    private func revokeCopies(
        of purchase: TransactionRecord,
        for reason: Revocation.Reason,
        _ context: inout CommandContext
    ) throws {
        var key = purchase.key
        while true {
            let page = try context.ledger.unfinishedTransactions(
                in: purchase.queue,
                afterKey: key,
                limit: PaymentEngine.pageMaximum
            )
            for var copy in page where copy.isCopy(of: purchase) {
                copy.revocation = Revocation(date: context.now, reason: reason, quantity: copy.payment.quantity)
                copy.isRevocationPending = true
                try receipts.signAgain(&copy, context)
                try context.save(copy)
                try context.note(copy.key, "revoked with its original")
            }
            guard page.count == PaymentEngine.pageMaximum, let last = page.last else {
                return
            }
            key = last.key
        }
    }
}

/// Refunds that the engine orders itself.
extension Refunding {
    /// Refunds the rest of the period.
    func giveBackRest(of term: TermRecord, _ transaction: TransactionRecord, _ context: CommandContext) throws {
        guard let charge = try context.ledger.charge(forTransaction: transaction.key), charge.state == .succeeded else {
            return
        }
        let refunded = try context.ledger.refunds(ofTransaction: transaction.key).filter { $0.state != .failed }
            .reduce(0) { $0 + $1.amount }
        let paid = charge.request.amount
        let amount = min(SubscriptionGrant.unused(of: paid, term, at: context.now), paid - refunded)
        try insert(refundOf: transaction, quantity: 0, amount: amount, charge, context)
    }

    /// Refunds all of a payment for a period of a product that the store no longer had when it was paid, so that the
    /// period's length is unknown.
    func giveBackAll(_ transaction: TransactionRecord, _ context: CommandContext) throws {
        guard let charge = try context.ledger.charge(forTransaction: transaction.key), charge.state == .succeeded else {
            return
        }
        let quantity = transaction.payment.quantity
        try insert(refundOf: transaction, quantity: quantity, amount: charge.request.amount, charge, context)
        try context.note(transaction.key, "the store no longer has the product: the payment is refunded")
    }

    private func insert(
        refundOf transaction: TransactionRecord,
        quantity: Int,
        amount: Int64,
        _ charge: ChargeRecord,
        _ context: CommandContext
    ) throws {
        guard amount > 0 else {
            return
        }
        try context.ledger.insert(
            RefundRecord(
                id: makeID(),
                transactionKey: transaction.key,
                queue: transaction.queue,
                quantity: quantity,
                amount: amount,
                currency: charge.request.currency,
                reason: .other,
                createdAt: context.now,
                dueAt: context.now
            )
        )
    }
}

extension TransactionRecord {
    /// Whether this is only a copy of the purchase: restored, or bought again while the product was owned.
    fileprivate func isCopy(of purchase: TransactionRecord) -> Bool {
        (state == .restored || state == .purchased && !isEntitlement) && revocation == nil
            && repeats == purchase.key
    }
}

extension RefundRecord {
    /// The refund as text for people and logs.
    var text: String {
        let money = amount == 0 ? "no money" : "\(amount) minor units of \(currency)"
        return quantity == 0 ? money : "\(quantity), \(money)"
    }

    /// Whether the order asks for the same as this refund.
    fileprivate func isOf(_ order: RefundOrder, _ transaction: TransactionRecord) -> Bool {
        transactionKey == transaction.key && reason == order.reason
            && (order.quantity == 0 || order.quantity == quantity)
            && order.keepsMoney == keepsMoney
    }
}

extension RefundOrder {
    /// The order as the audit log keeps it.
    fileprivate func detail(_ decision: RefundDecision) -> String {
        "refund=\(id.text) quantity=\(decision.quantity) amount=\(decision.amount) currency=\(decision.currency)"
            + " reason=\(reason.rawValue) keeps_money=\(keepsMoney)"
    }
}
