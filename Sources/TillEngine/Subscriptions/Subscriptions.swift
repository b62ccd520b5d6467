import FoundationEssentials
import TillModel

/// Enters purchases into subscriptions, and changes subscriptions for operators, each step within a commit.
struct Subscriptions: Sendable {
    /// An operator's action on a subscription.
    struct Operation: Sendable {
        /// The method, as the audit log keeps it.
        var action: String
        var detail = ""
        /// Whether it charges for a renewal, which waits while a payment of the account is disputed.
        var charges = false
        var change: @Sendable (inout SubscriptionRecord, _ now: Date) throws(TillError) -> Void
    }

    let catalogue: StoreCatalogue
    let receipts: Receipts
    let refunding: Refunding

    /// Enters a purchase into the subscription of its group, and the subscription's period into the purchase.
    ///
    /// - Parameter transaction: Purchased and stored. The caller stores its changes.
    func grant(
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
            rate: catalogue.settings.timeRate,
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

    private func store(_ record: SubscriptionRecord, _ context: CommandContext) throws -> Int64 {
        guard record.key != 0 else {
            return try context.ledger.insert(record)
        }
        try context.ledger.update(record)
        return record.key
    }

    /// Ends the period of a transaction that another product replaces, and refunds the rest of it.
    private func upgrade(_ key: Int64, _ context: inout CommandContext) throws {
        guard var transaction = try context.ledger.transaction(key: key), var term = transaction.term else {
            return
        }
        try refunding.giveBackRest(of: term, transaction, context)
        term.isUpgraded = true
        transaction.term = term
        try receipts.signAgain(&transaction, context)
        try context.amend(transaction)
        try context.note(key, "another product replaced this period")
    }

    /// The subscription's status, as applications see it.
    func status(_ record: SubscriptionRecord, at date: Date, _ ledger: any LedgerReader) throws -> SubscriptionStatus {
        let latest = try ledger.transaction(key: record.latestKey)
        let price = RenewalPrice(record, product: catalogue.product(record.renewalProductID))
        return record.status(
            at: date,
            latestID: latest?.id ?? record.original.id,
            renewalPrice: Price(
                minorUnits: price?.amount ?? record.renewalAmount,
                currency: price?.currency ?? record.currency
            ),
            identifiedBy: receipts.numbering
        )
    }

    /// The subscription that a transaction paid for; for one that paid for nothing, the subscription of its product's
    /// group.
    func subscription(of id: UUID, _ ledger: any LedgerReader) throws -> SubscriptionRecord? {
        guard let transaction = try ledger.transaction(id) else {
            return nil
        }
        if let term = transaction.term {
            return try ledger.subscription(key: term.subscription)
        }
        return try catalogue.product(transaction.payment.productID)?.subscription.flatMap {
            try ledger.subscription(toGroup: $0.groupID, in: transaction.queue)
        }
    }
}

extension Subscriptions {
    /// Changes the subscription that a transaction belongs to, in one commit with the audit log.
    func operate(
        on id: UUID,
        _ operation: Operation,
        by identity: OperatorIdentity,
        _ context: inout CommandContext
    ) throws -> Result<SubscriptionStatus, TillError> {
        guard let record = try subscription(of: id, context.ledger) else {
            return .failure(TillError(.notFound, "No subscription has a transaction \(id.text)."))
        }
        if operation.charges, let dispute = try context.ledger.openDispute(in: record.queue) {
            return .failure(SubscriptionRecord.disputed(dispute))
        }
        var changed = record
        do throws(TillError) {
            try operation.change(&changed, context.now)
        } catch {
            return .failure(error)
        }
        let isBillingChanged = changed.periodEnd != record.periodEnd || changed.dueAt != record.dueAt
        if isBillingChanged || changed.hasEnded, try isRenewalUnderWay(record, context) {
            return .failure(
                SubscriptionRecord.refusal("A charge for the renewal is under way; try again when it is settled.")
            )
        }
        try store(changed, replacing: record, &context)
        try context.audit(operation.action, subject: id.text, detail: operation.detail, by: identity)
        try context.note(
            changed.latestKey,
            by: identity,
            operation.detail.isEmpty ? operation.action : "\(operation.action) \(operation.detail)"
        )
        return .success(try status(changed, at: context.now, context.ledger))
    }

    /// Stores the change; if it shortens a period, the period's transaction changes too.
    private func store(
        _ changed: SubscriptionRecord,
        replacing old: SubscriptionRecord,
        _ context: inout CommandContext
    ) throws {
        try context.ledger.update(changed)
        context.effects.requestsChanged = true
        guard changed.periodEnd < old.periodEnd,
            var latest = try context.ledger.transaction(key: changed.latestKey)
        else {
            return
        }
        latest.term?.end = changed.periodEnd
        try receipts.signAgain(&latest, context)
        try context.amend(latest)
    }

    private func isRenewalUnderWay(_ record: SubscriptionRecord, _ context: CommandContext) throws -> Bool {
        try context.ledger.firstUnsettledCharge(for: record)?.subscriptionKey == record.key
    }
}

extension CommandContext {
    /// Ends the subscription now if the refunded period is the present one; an older period changes nothing.
    mutating func revokeSubscription(of transaction: TransactionRecord) throws {
        guard let term = transaction.term, var record = try ledger.subscription(key: term.subscription),
            record.latestKey == transaction.key, !record.hasEnded
        else {
            return
        }
        record.revoke()
        try ledger.update(record)
        effects.requestsChanged = true
        try note(transaction.key, "the subscription ended with its last period")
    }

    /// Lets the subscription that ended with the transaction's period continue to the end of that period, if the revocation
    /// of the period was reversed. It does not renew unless the account turns that on again.
    mutating func reinstateSubscription(of transaction: TransactionRecord) throws {
        guard let term = transaction.term, var record = try ledger.subscription(key: term.subscription),
            record.latestKey == transaction.key, record.state == .revoked
        else {
            return
        }
        record.reinstate(at: now)
        try ledger.update(record)
        effects.requestsChanged = true
        try note(transaction.key, "the subscription continues to the end of its last period")
    }
}

extension LedgerReader {
    /// The provider's reference of the subscription's latest payment, or of its first; nil if neither cost anything.
    func lastPayment(of subscription: SubscriptionRecord) throws -> String? {
        let charges = try [subscription.latestKey, subscription.original.key].compactMap {
            try charge(forTransaction: $0)
        }
        return charges.first { $0.state == .succeeded }?.reference
    }

    /// The name of a dispute about a payment of the queue's account that is not decided.
    func openDispute(in queue: Int64) throws -> String? {
        try disputedTransactions(in: queue, limit: 1).first?.openDisputes.first
    }

    /// The open charge for the subscription's group, of a purchase or a renewal, or else the first waiting one; nil
    /// when no payment for the group is under way.
    func firstUnsettledCharge(for record: SubscriptionRecord) throws -> ChargeRecord? {
        let exclusiveGroup = SubscriptionPurchase.exclusiveGroup(ofSubscriptionGroup: record.groupID)
        return try unsettledCharges(exclusiveGroup: exclusiveGroup, in: record.queue, limit: 1).first
    }
}

extension ChargeRecord {
    fileprivate var agreedAfterOffer: ReceiptFacts.Paid? {
        amountAfterOffer.map { ReceiptFacts.Paid(amount: $0, currency: request.currency) }
    }
}
