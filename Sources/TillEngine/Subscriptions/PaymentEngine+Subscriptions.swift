package import FoundationEssentials
package import TillModel

/// The entitlements and subscriptions of accounts.
extension PaymentEngine {
    /// Entitlements or subscriptions in one page.
    package static let entitlementPageMaximum = 64

    /// A page of what the account owns now: non-consumables and non-renewing subscriptions, then subscriptions in
    /// force; and the token of the next page, which may be empty.
    ///
    /// - Parameter token: The next token of the previous page; 0 for the first page.
    package func entitlements(in name: QueueName, token: UInt64, limit: Int) async throws(TillError) -> (
        page: [Entitlement], next: UInt64?
    ) {
        try Self.check(limit)
        let now = time.now().roundedToMilliseconds
        return try await read { ledger in
            try self.parts.entitlements.owned(in: name, token: token, limit: limit, at: now, ledger)
        }
    }

    /// A page of the status of all groups that the account was ever subscribed to, with their renewal information signed
    /// now, and the token of the next page.
    ///
    /// - Parameter token: The next token of the previous page; 0 for the first page.
    package func subscriptions(in name: QueueName, token: UInt64, limit: Int) async throws(TillError) -> (
        page: [SubscriptionStatus], next: UInt64?
    ) {
        try Self.check(limit)
        let now = time.now().roundedToMilliseconds
        let (found, facts) = try await read { ledger in
            try self.parts.entitlements.statuses(in: name, token: token, limit: limit, at: now, ledger)
        }
        var statuses = found
        for (index, renewal) in parts.receipts.signed(facts).enumerated() {
            statuses[index].renewalInfo = renewal
        }
        let page = PageWeight.page(of: statuses) { $0.weight }
        let isLast = found.count < limit && page.count == found.count
        return (page, isLast || page.isEmpty ? nil : UInt64(bitPattern: facts[page.count - 1].subscription.key))
    }

    private static func check(_ limit: Int) throws(TillError) {
        guard (1...entitlementPageMaximum).contains(limit) else {
            throw TillError(.invalidArgument, "A page has 1 to \(entitlementPageMaximum) entries.")
        }
    }
}

/// Operators' actions on subscriptions, each named by the identity of any of its transactions.
///
/// All throw `notFound` for an identity that belongs to no subscription, and `failedPrecondition` when the subscription
/// is not in a state for it: nothing happened.
extension PaymentEngine {
    /// Ends the subscription now, and its renewal.
    package func expireSubscription(_ id: UUID, by identity: OperatorIdentity) async throws(TillError)
        -> SubscriptionStatus
    {
        try await operate(
            on: id,
            .init(action: "ExpireSubscription") { record, now throws(TillError) in try record.expireNow(at: now) },
            by: identity
        )
    }

    /// Ends the present period now and renews at once, with auto-renewal on and no price increase pending.
    ///
    /// - Returns: Its status once the provider has answered, or after a time limit.
    package func renewSubscription(_ id: UUID, by identity: OperatorIdentity) async throws(TillError)
        -> SubscriptionStatus
    {
        let status = try await operate(
            on: id,
            .init(action: "RenewSubscription", charges: true) { record, now throws(TillError) in
                try record.renewNow(at: now)
            },
            by: identity
        )
        guard let key = try await read({ try self.parts.subscriptions.subscription(of: id, $0)?.key }) else {
            return status
        }
        try await dueJobs.advance(subscription: key)
        await settleCharges()
        let now = time.now()
        return try await read { ledger in
            try ledger.subscription(key: key).map { try self.parts.subscriptions.status($0, at: now, ledger) } ?? status
        }
    }

    package func setAutoRenew(_ id: UUID, to isOn: Bool, by identity: OperatorIdentity) async throws(TillError)
        -> SubscriptionStatus
    {
        try await operate(
            on: id,
            .init(action: "SetAutoRenew", detail: "on=\(isOn)") { record, now throws(TillError) in
                try record.setAutoRenew(isOn, at: now)
            },
            by: identity
        )
    }

    /// Asks the account to agree to a higher price; without consent the subscription expires at its next renewal.
    ///
    /// - Parameter amount: In the currency's major unit; nil for the catalogue's present price.
    package func requestPriceConsent(_ id: UUID, amount: Decimal?, by identity: OperatorIdentity)
        async throws(TillError) -> SubscriptionStatus
    {
        let detail = "amount=\(amount.map { "\($0)" } ?? "catalogue")"
        let catalogue = parts.catalogue
        return try await operate(
            on: id,
            .init(action: "RequestPriceConsent", detail: detail) { record, _ throws(TillError) in
                let price = catalogue.product(record.renewalProductID)?.price
                let listed = price.flatMap { $0.currency == record.currency ? $0.minorUnits(quantity: 1) : nil }
                let asked = try Self.minorUnits(amount, currency: record.currency)
                try record.announce(asked, listed: listed)
            },
            by: identity
        )
    }

    /// Answers that question on the account's behalf; until the renewal, another answer may replace this one.
    package func answerPriceConsent(
        _ id: UUID,
        agrees: Bool,
        to price: Price? = nil,
        by identity: OperatorIdentity
    ) async throws(TillError) -> SubscriptionStatus {
        try await operate(
            on: id,
            .init(action: "AnswerPriceConsent", detail: "agrees=\(agrees)") { record, _ throws(TillError) in
                try record.answerPrice(agrees: agrees, to: price)
            },
            by: identity
        )
    }

    private func operate(on id: UUID, _ operation: Subscriptions.Operation, by identity: OperatorIdentity)
        async throws(TillError) -> SubscriptionStatus
    {
        try await commit { context in try self.parts.subscriptions.operate(on: id, operation, by: identity, &context) }
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
}
