import FoundationEssentials
import TillModel

/// Renewals whose charge failed.
extension Renewing {
    /// Tries an unpaid renewal again now, even if the store is set to fail renewals.
    ///
    /// - Parameter review: What the provider did with the oldest renewal charge whose outcome is unknown; nil without one.
    func resolveBilling(
        ofSubscription key: Int64,
        review: ReviewOutcome?,
        by identity: OperatorIdentity,
        _ context: inout CommandContext
    ) throws -> Result<Void, TillError> {
        guard let record = try context.ledger.subscription(key: key),
            let latest = try context.ledger.transaction(key: record.latestKey)
        else {
            return .failure(TillError(.notFound, "There is no such subscription."))
        }
        let charge = try review.flatMap { _ in try context.ledger.chargeInReview(ofSubscription: key) }
        if let refusal = try refusal(record, review, charge, context) {
            return .failure(refusal)
        }
        let detail = review.map(\.text) ?? ""
        try context.audit("ResolveBilling", subject: latest.id.text, detail: detail, by: identity)
        try context.note(latest.key, by: identity, "ResolveBilling \(detail)")
        if let review, let charge {
            try settle(charge, review, &context)
        } else if let price = RenewalPrice(record, product: catalogue.product(record.renewalProductID)) {
            try pay(price, for: record, asOf: context.now, &context)
        }
        return .success(())
    }

    /// Stores the provider's late answer about a renewal, as an operator's finding is stored. While another payment for its
    /// group is under way, nothing changes.
    func settleReview(of charge: ChargeRecord, as outcome: ReviewOutcome, _ context: inout CommandContext) throws {
        guard let record = try charge.subscriptionKey.flatMap({ try context.ledger.subscription(key: $0) }),
            try context.ledger.firstUnsettledCharge(for: record) == nil
        else {
            return
        }
        try context.note(
            record.latestKey,
            kind: .providerCall,
            "the provider answered about the renewal: \(outcome.text)"
        )
        try settle(charge, outcome, &context)
    }

    private func refusal(
        _ record: SubscriptionRecord,
        _ review: ReviewOutcome?,
        _ charge: ChargeRecord?,
        _ context: CommandContext
    ) throws -> TillError? {
        if review != nil {
            guard charge != nil else {
                return SubscriptionRecord.refusal("No charge for the renewal needs review.")
            }
            return try context.ledger.firstUnsettledCharge(for: record) == nil
                ? nil : SubscriptionRecord.paymentUnderWay
        }
        guard !record.isUnderReview else {
            return SubscriptionRecord.underReview
        }
        guard record.isUnpaid else {
            return SubscriptionRecord.refusal("The subscription has no unpaid renewal.")
        }
        guard let price = RenewalPrice(record, product: catalogue.product(record.renewalProductID)) else {
            return SubscriptionRecord.refusal("The store no longer has \(record.renewalProductID).")
        }
        if price.amount > 0, let dispute = try context.ledger.openDispute(in: record.queue) {
            return SubscriptionRecord.disputed(dispute)
        }
        return try context.ledger.firstUnsettledCharge(for: record) == nil ? nil : SubscriptionRecord.paymentUnderWay
    }

    private func settle(_ charge: ChargeRecord, _ review: ReviewOutcome, _ context: inout CommandContext) throws {
        var charge = charge
        charge.settle(review)
        try context.save(charge)
        let outcome: DefiniteOutcome =
            switch review {
            case .charged: .succeeded(reference: charge.reference ?? charge.request.paymentID.text)
            case .notCharged: .declined(PaymentError(.unknown, "The renewal was not charged."))
            }
        try settle(charge, outcome, &context)
    }

    /// Schedules the next attempt at a renewal whose charge failed.
    func failBilling(
        _ record: SubscriptionRecord,
        _ charge: ChargeRecord,
        _ outcome: DefiniteOutcome,
        _ context: inout CommandContext
    ) throws {
        guard record.isAwaiting(charge) else {
            return
        }
        var failed = record
        failed.failBilling(billingPeriod(of: record), catalogue.settings, hold: outcome.hold, at: context.now)
        try context.ledger.update(failed)
        try context.note(record.latestKey, outcome.error?.message ?? "the renewal was not paid for")
        if failed.hold == .paymentMethod {
            try context.note(record.latestKey, "the renewal is not tried again before the payment method is changed")
        }
        try noteChange(from: record, to: failed, context)
    }

    private func billingPeriod(of record: SubscriptionRecord) -> SubscriptionPeriod {
        catalogue.product(record.renewalProductID)?.subscription?.period ?? SubscriptionPeriod(unit: .month, value: 1)
    }

    /// Lets a due renewal wait until the dispute is decided. Its grace and retry periods begin as if it had been declined.
    func hold(
        _ record: SubscriptionRecord,
        for dispute: String,
        asOf date: Date,
        _ context: inout CommandContext
    ) throws {
        var held = record
        held.failBilling(billingPeriod(of: record), catalogue.settings, hold: .dispute, at: date)
        try context.ledger.update(held)
        context.effects.requestsChanged = true
        try context.note(record.latestKey, "the renewal waits until the dispute \(dispute) is decided")
        try noteChange(from: record, to: held, context)
    }
}

extension DefiniteOutcome {
    /// Why a renewal that ended so is not tried again by itself; nil if it is.
    fileprivate var hold: BillingHold? {
        switch self {
        case .abandoned: .review
        case .declined(let error) where error.retry == .never: .paymentMethod
        case .succeeded, .declined: nil
        }
    }
}
