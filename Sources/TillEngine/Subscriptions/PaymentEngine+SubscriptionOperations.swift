package import FoundationEssentials
package import TillModel

/// What operators do to subscriptions, named by the identity of any of their transactions.
///
/// All throw `notFound` for an identity that belongs to none, and `failedPrecondition` when the subscription is not in a
/// state for it: nothing happened.
extension PaymentEngine {
    /// Ends the subscription now, and its renewal.
    package func expireSubscription(_ id: UUID, by identity: OperatorIdentity) async throws(TillError)
        -> SubscriptionStatus
    {
        try await operate(on: id, "ExpireSubscription", by: identity) { record, context throws(TillError) in
            try record.expireNow(at: context.now)
        }
    }

    /// Ends the present period now and renews at once, with auto-renewal on and no price increase pending.
    ///
    /// - Returns: How it stands once the provider has answered, or has not for a while.
    package func renewSubscription(_ id: UUID, by identity: OperatorIdentity) async throws(TillError)
        -> SubscriptionStatus
    {
        let status = try await operate(on: id, "RenewSubscription", by: identity) { record, context throws(TillError) in
            try record.renewNow(at: context.now)
        }
        guard let key = try await read({ try Self.subscription(of: id, self, $0)?.key }) else {
            return status
        }
        try await advance(subscription: key)
        await settleCharges()
        let now = time.now()
        return try await read { ledger in
            try ledger.subscription(key: key).map { try self.status($0, at: now, ledger) } ?? status
        }
    }

    package func setAutoRenew(_ id: UUID, to isOn: Bool, by identity: OperatorIdentity) async throws(TillError)
        -> SubscriptionStatus
    {
        let detail = "on=\(isOn)"
        return try await operate(on: id, "SetAutoRenew", detail, by: identity) {
            record,
            context throws(TillError) in
            try record.setAutoRenew(isOn, at: context.now)
        }
    }

    /// Asks the account to agree to a higher price; without consent the subscription expires at its next renewal.
    ///
    /// - Parameter amount: In the currency's major unit; nil for the catalogue's present price.
    package func requestPriceConsent(_ id: UUID, amount: Decimal?, by identity: OperatorIdentity)
        async throws(TillError) -> SubscriptionStatus
    {
        let detail = "amount=\(amount.map { "\($0)" } ?? "catalogue")"
        return try await operate(on: id, "RequestPriceConsent", detail, by: identity) {
            record,
            _ throws(TillError) in
            let price = self.product(record.renewalProductID)?.price
            let listed = price.flatMap { $0.currency == record.currency ? $0.minorUnits(quantity: 1) : nil }
            let asked = try Self.minorUnits(amount, currency: record.currency)
            try record.announce(asked, listed: listed)
        }
    }

    /// Answers that question in the account's place; until the renewal another answer may take the place of one.
    package func answerPriceConsent(_ id: UUID, agrees: Bool, by identity: OperatorIdentity) async throws(TillError)
        -> SubscriptionStatus
    {
        let detail = "agrees=\(agrees)"
        return try await operate(on: id, "AnswerPriceConsent", detail, by: identity) { record, _ throws(TillError) in
            try record.answerPrice(agrees: agrees)
        }
    }

    /// Changes the subscription that a transaction belongs to, in one commit with the audit log.
    private func operate(
        on id: UUID,
        _ action: String,
        _ detail: String = "",
        by identity: OperatorIdentity,
        _ change: @escaping @Sendable (inout SubscriptionRecord, CommandContext) throws(TillError) -> Void
    ) async throws(TillError) -> SubscriptionStatus {
        try await commit { context in
            guard let record = try Self.subscription(of: id, self, context.ledger) else {
                return .failure(TillError(.notFound, "There is no subscription of a transaction \(id.text)."))
            }
            var changed = record
            do throws(TillError) {
                try change(&changed, context)
            } catch {
                return .failure(error)
            }
            let isBillingChanged = changed.periodEnd != record.periodEnd || changed.dueAt != record.dueAt
            if isBillingChanged || changed.hasEnded, try self.isRenewalUnderWay(record, context) {
                return .failure(
                    SubscriptionRecord.refusal("A charge for the renewal is under way; try again when it is settled.")
                )
            }
            try self.store(changed, replacing: record, &context)
            try context.audit(action, subject: id.text, detail: detail, by: identity)
            try context.note(
                changed.latestKey,
                by: "uid:\(identity.uid)",
                detail.isEmpty ? action : "\(action) \(detail)"
            )
            return .success(try self.status(changed, at: context.now, context.ledger))
        }
    }

    /// Stores the change; a period that was cut short is so in its transaction, too.
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
        try signAgain(&latest, context)
        try amend(latest, &context)
    }

    private func isRenewalUnderWay(_ record: SubscriptionRecord, _ context: CommandContext) throws -> Bool {
        let exclusivity = SubscriptionPurchase.exclusivity(ofGroup: record.groupID)
        let charge = try context.ledger.unsettledCharges(exclusivity: exclusivity, in: record.queue, limit: 1).first
        return charge?.subscriptionKey == record.key
    }

    private static func minorUnits(_ amount: Decimal?, currency: String) throws(TillError) -> Int64? {
        guard let amount else {
            return nil
        }
        guard let units = Price(amount: amount, currency: currency).minorUnits(quantity: 1) else {
            throw TillError(.invalidArgument, "The price \(amount) cannot be charged in \(currency).")
        }
        return units
    }

    /// The subscription that a transaction paid for; for one that paid for nothing, the subscription of its product's
    /// group.
    static func subscription(of id: UUID, _ engine: PaymentEngine, _ ledger: any LedgerReader) throws
        -> SubscriptionRecord?
    {
        guard let transaction = try ledger.transaction(id) else {
            return nil
        }
        if let term = transaction.term {
            return try ledger.subscription(key: term.subscription)
        }
        return try engine.product(transaction.payment.productID)?.subscription.flatMap {
            try ledger.subscription(toGroup: $0.groupID, in: transaction.queue)
        }
    }
}
