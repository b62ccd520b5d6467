import FoundationEssentials
import TillModel

extension PaymentEngine {
    /// Enters a purchase into the subscription of its group, and the subscription's period into the purchase.
    ///
    /// - Parameter transaction: Purchased and stored. The caller stores what changes.
    func grantSubscription(
        _ transaction: inout TransactionRecord,
        product: Product,
        charge: ChargeRecord?,
        _ context: inout CommandContext
    ) throws {
        guard let group = product.subscription?.groupID else {
            return
        }
        let existing = try context.ledger.subscription(toGroup: group, in: transaction.queue)
        let facts = SubscriptionGrant.Facts(
            product: product,
            groupID: group,
            existing: existing,
            paid: charge.flatMap(ReceiptFacts.Paid.init),
            agreedAfterOffer: charge?.agreedAfterOffer,
            rate: settings.timeRate,
            now: context.now
        )
        guard let grant = SubscriptionGrant.make(transaction, facts) else {
            return
        }
        if grant.endsPeriodEarly, let existing {
            try upgrade(existing.latestKey, &context)
        }
        let key = try store(grant.record, context)
        transaction.original = existing?.original
        guard let period = grant.period else {
            try context.note(transaction.key, "the subscription will renew as \(grant.record.renewalProductID)")
            return
        }
        transaction.term = TermRecord(subscription: key, groupID: group, start: period.start, end: period.end)
        try context.note(transaction.key, "subscribed until \(period.end.ISO8601Format())")
    }

    /// A refunded period that is the present one ends the subscription now; an older one changes nothing.
    func revokeSubscription(of transaction: TransactionRecord, at date: Date, _ context: inout CommandContext) throws {
        guard let term = transaction.term, var record = try context.ledger.subscription(key: term.subscription),
            record.latestKey == transaction.key, !record.hasEnded
        else {
            return
        }
        record.revoke()
        try context.ledger.update(record)
        context.effects.requestsChanged = true
        try context.note(transaction.key, "the subscription ended with its last period")
    }

    /// Stores a change of a transaction that the application may have finished: what has left the queue is not
    /// delivered again.
    func amend(_ transaction: TransactionRecord, _ context: inout CommandContext) throws {
        if transaction.finishedAt == nil {
            try context.save(transaction)
        } else {
            try context.restate(transaction)
        }
    }

    private func store(_ record: SubscriptionRecord, _ context: CommandContext) throws -> Int64 {
        guard record.key != 0 else {
            return try context.ledger.insert(record)
        }
        try context.ledger.update(record)
        return record.key
    }

    /// Ends the period of a transaction because another product took its place, and gives back what is left of it.
    private func upgrade(_ key: Int64, _ context: inout CommandContext) throws {
        guard var transaction = try context.ledger.transaction(key: key), var term = transaction.term else {
            return
        }
        try refundRest(of: term, transaction, context)
        term.isUpgraded = true
        transaction.term = term
        try signAgain(&transaction, context)
        try amend(transaction, &context)
        try context.note(key, "another product took the place of this period")
    }

    /// Gives back what is left of the period.
    func refundRest(of term: TermRecord, _ transaction: TransactionRecord, _ context: CommandContext) throws {
        guard let charge = try context.ledger.charge(forTransaction: transaction.key), charge.state == .succeeded else {
            return
        }
        let refunded = try context.ledger.refunds(ofTransaction: transaction.key).filter { $0.state != .failed }
            .reduce(0) { $0 + $1.amount }
        let paid = charge.request.amount
        let amount = min(SubscriptionGrant.unused(of: paid, term, at: context.now), paid - refunded)
        try insertRefund(of: transaction, quantity: 0, amount: amount, charge, context)
    }

    /// Gives all back that was paid for a period of a product that the store had no more once it was paid, so that nobody
    /// knows how long the period is.
    func giveBack(_ transaction: TransactionRecord, _ context: CommandContext) throws {
        guard let charge = try context.ledger.charge(forTransaction: transaction.key), charge.state == .succeeded else {
            return
        }
        let quantity = transaction.payment.quantity
        try insertRefund(of: transaction, quantity: quantity, amount: charge.request.amount, charge, context)
        try context.note(transaction.key, "the store does not have the product any more: what was paid goes back")
    }

    private func insertRefund(
        of transaction: TransactionRecord,
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

extension ChargeRecord {
    fileprivate var agreedAfterOffer: ReceiptFacts.Paid? {
        amountAfterOffer.map { ReceiptFacts.Paid(amount: $0, currency: request.currency) }
    }
}
