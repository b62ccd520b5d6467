import FoundationEssentials
import TillModel

/// Renews subscriptions, each step within a commit.
struct Renewing: Sendable {
    /// Transactions in one read of a subscription's history.
    private static let termPage = 256

    let catalogue: StoreCatalogue
    let completion: Completion
    let refunding: Refunding
    let purchasing: Purchasing
    let makeID: @Sendable () -> UUID

    /// Stores the provider's answer to a charge for a renewal. An unpaid renewal is tried again, and never becomes a
    /// failed transaction in the queue.
    ///
    /// - Parameter charge: Settled and stored.
    func settle(_ charge: ChargeRecord, _ outcome: DefiniteOutcome, _ context: inout CommandContext) throws {
        guard let key = charge.subscriptionKey, let record = try context.ledger.subscription(key: key) else {
            return
        }
        if case .succeeded = outcome {
            try renew(record, paidBy: charge, &context)
        } else {
            try failBilling(record, charge, outcome, &context)
        }
        if let exclusiveGroup = charge.exclusiveGroup, let queue = try context.ledger.queue(key: charge.queue) {
            try purchasing.releaseWaiting(exclusiveGroup, in: queue, &context)
        }
        _ = try takeStep(key, &context)
    }

    /// Pays for the next period: now, if it costs nothing, else by a charge.
    func pay(
        _ price: RenewalPrice,
        for record: SubscriptionRecord,
        asOf date: Date,
        _ context: inout CommandContext
    ) throws {
        guard price.amount > 0 else {
            let payment = SubscriptionRenewal.Payment(
                productID: record.renewalProductID,
                amount: 0,
                currency: price.currency,
                offer: price.offer?.offer,
                date: date
            )
            _ = try renew(record, payment, id: makeID(), &context)
            return
        }
        guard let queue = try context.ledger.queue(key: record.queue) else {
            return
        }
        try context.save(charge(for: record, price, in: queue, at: context.now))
        try context.ledger.update(record.changed { $0.dueAt = nil })
    }

    /// Does the next due step; returns whether another may be due now.
    func takeStep(_ key: Int64, _ context: inout CommandContext) throws -> Bool {
        guard let record = try context.ledger.subscription(key: key) else {
            return false
        }
        let facts = SubscriptionStep.Facts(
            product: catalogue.product(record.renewalProductID),
            settings: catalogue.settings
        )
        switch SubscriptionStep.next(record, facts, now: context.now) {
        case .none:
            return false
        case .change(let changed):
            try context.ledger.update(changed)
            context.effects.requestsChanged = true
            try noteChange(from: record, to: changed, context)
            return true
        case .renew(let price, let date):
            guard try context.ledger.firstUnsettledCharge(for: record) == nil else {
                // It stays due, and is tried again.
                return false
            }
            if price.amount > 0, let dispute = try context.ledger.openDispute(in: record.queue) {
                try hold(record, for: dispute, asOf: date, &context)
                return true
            }
            try pay(price, for: record, asOf: date, &context)
            return price.amount == 0
        }
    }

    /// A charge that turns out to be paid after the subscription was bought again extends it, or is refunded if another
    /// product was bought.
    private func renew(_ record: SubscriptionRecord, paidBy charge: ChargeRecord, _ context: inout CommandContext)
        throws
    {
        let isLate = !record.hasEnded && !record.isAwaiting(charge)
        let payment = SubscriptionRenewal.Payment(
            productID: charge.request.productID,
            amount: charge.request.amount,
            currency: charge.request.currency,
            offer: charge.renewalOffer,
            date: isLate
                ? context.now : SubscriptionRenewal.date(of: record, chargedAt: charge.createdAt, now: context.now)
        )
        var charge = charge
        let transaction = try renew(record, payment, isLate: isLate, id: charge.request.paymentID, &context)
        charge.transactionKey = transaction.key
        try context.save(charge)
        if let term = transaction.term, term.isUpgraded {
            try refunding.giveBackRest(of: term, transaction, context)
        }
    }

    /// Adds the transaction of a renewal that was paid for.
    private func renew(
        _ record: SubscriptionRecord,
        _ payment: SubscriptionRenewal.Payment,
        isLate: Bool = false,
        id: UUID,
        _ context: inout CommandContext
    ) throws -> TransactionRecord {
        let start = SubscriptionRenewal.start(of: record, payment.date)
        let facts = SubscriptionRenewal.Facts(
            product: catalogue.product(payment.productID),
            rate: catalogue.settings.timeRate,
            isLate: isLate,
            anchor: try anchor(of: record, renewingFrom: start, context)
        )
        var renewal = SubscriptionRenewal.make(record, payment, facts)
        let isReplaced = isLate && payment.productID != record.productID
        let original = try context.ledger.transaction(key: record.original.key)
        let latest = try context.ledger.transaction(key: record.latestKey)
        let renewed = TransactionRecord(
            queue: record.queue,
            id: id,
            payment: Payment(
                id: id,
                productID: payment.productID,
                applicationUsername: original?.payment.applicationUsername
            ),
            productType: .autoRenewableSubscription,
            state: .purchased,
            revision: 0,
            createdAt: renewal.period.start,
            purchasedAt: renewal.period.start,
            original: record.original,
            isEntitlement: true,
            offer: renewal.offer,
            sale: catalogue.sale(payment, after: latest),
            term: TermRecord(
                subscription: record.key,
                groupID: record.groupID,
                start: renewal.period.start,
                end: renewal.period.end,
                isRenewal: true,
                isUpgraded: isReplaced
            )
        )
        guard let queue = try context.ledger.queue(key: record.queue) else {
            throw TillError(.dataLoss, "The ledger has no queue \(record.queue).")
        }
        let transaction = try completion.save(renewed, in: queue, &context)
        guard !isReplaced else {
            try context.note(transaction.key, "another product replaced this period before it was paid for")
            return transaction
        }
        renewal.record.latestKey = transaction.key
        try context.ledger.update(renewal.record)
        context.effects.requestsChanged = true
        try context.note(transaction.key, "renewed until \(renewal.period.end.ISO8601Format())")
        return transaction
    }

    /// The start that the days of a new period are counted from.
    private func anchor(of record: SubscriptionRecord, renewingFrom start: Date, _ context: CommandContext) throws
        -> Date
    {
        let isContiguous = start == record.periodEnd
        guard isContiguous, SubscriptionCalendar(rate: catalogue.settings.timeRate).needsAnchor(from: start) else {
            return start
        }
        var found: (anchor: Date, end: Date)?
        var key: Int64 = 0
        while true {
            let page = try context.ledger.terms(ofSubscription: record.key, afterKey: key, limit: Self.termPage)
            let terms = page.filter { $0.state == .purchased }.compactMap { paid in
                paid.term.map {
                    (term: $0, unit: catalogue.soldProduct(paid.payment.productID)?.periodUnit(paid.offer))
                }
            }
            found = SubscriptionCalendar.anchor(of: terms, after: found)
            guard page.count == Self.termPage, let last = page.last else {
                return found?.anchor ?? start
            }
            key = last.key
        }
    }

    private func charge(
        for record: SubscriptionRecord,
        _ price: RenewalPrice,
        in queue: QueueRecord,
        at now: Date
    ) -> ChargeRecord {
        ChargeRecord(
            transactionKey: nil,
            subscriptionKey: record.key,
            queue: queue.key,
            exclusiveGroup: SubscriptionPurchase.exclusiveGroup(ofSubscriptionGroup: record.groupID),
            request: ChargeRequest(
                paymentID: makeID(),
                application: queue.name.application,
                account: queue.name.account,
                productID: record.renewalProductID,
                quantity: 1,
                amount: price.amount,
                currency: price.currency
            ),
            renewalOffer: price.offer?.offer,
            state: .open,
            createdAt: now,
            dueAt: now.addingTimeInterval(ChargeRecord.lease)
        )
    }

    func noteChange(
        from old: SubscriptionRecord,
        to new: SubscriptionRecord,
        _ context: CommandContext
    ) throws {
        guard old.state != new.state else {
            return
        }
        let reason = new.expirationReason.map { " (\($0))" } ?? ""
        try context.note(new.latestKey, "the subscription became \(new.state)\(reason)")
    }

    /// Whether the subscription is due for a renewal that has to wait for another payment of its group.
    func hasToWait(_ record: SubscriptionRecord, at now: Date, _ ledger: any LedgerReader) throws -> Bool {
        let facts = SubscriptionStep.Facts(
            product: catalogue.soldProduct(record.renewalProductID),
            settings: catalogue.settings
        )
        guard case .renew = SubscriptionStep.next(record, facts, now: now) else {
            return false
        }
        do {
            return try ledger.firstUnsettledCharge(for: record) != nil
        } catch let error as TillError where error.code == .dataLoss {
            // The step meets it again, where it holds up nobody else.
            return false
        }
    }
}
