import FoundationEssentials
import TillModel

extension PaymentEngine {
    /// Charges in one read of the search for one.
    private static let chargePage = 1000

    /// Tries a renewal that was not paid for again, now, also where the store was told to fail renewals.
    ///
    /// - Parameter review: What the provider did with the last charge, when that is unknown; only then.
    /// - Throws: `failedPrecondition` when there is nothing to try again, or the review is missing: nothing happened.
    func resolveBilling(
        ofSubscription key: Int64,
        review: ReviewOutcome? = nil,
        by identity: OperatorIdentity
    ) async throws(TillError) {
        let charge = try await read { review == nil ? nil : try Self.chargeUnderReview(ofSubscription: key, $0) }
        try await commit { context -> Result<Void, TillError> in
            guard let record = try context.ledger.subscription(key: key),
                let latest = try context.ledger.transaction(key: record.latestKey)
            else {
                return .failure(TillError(.notFound, "There is no such subscription."))
            }
            if let refusal = try self.refusal(record, review, charge, context) {
                return .failure(refusal)
            }
            let detail = review.map(\.text) ?? ""
            try context.audit("ResolveBilling", subject: latest.id.text, detail: detail, by: identity)
            try context.note(latest.key, by: "uid:\(identity.uid)", "ResolveBilling \(detail)")
            if let review, let charge = try charge.flatMap({ try context.ledger.charge(key: $0) }) {
                try self.settle(charge, review, &context)
            } else if let price = RenewalPrice(record, product: self.product(record.renewalProductID)) {
                try self.pay(price, for: record, asOf: context.now, &context)
            }
            return .success(())
        }
    }

    private func refusal(
        _ record: SubscriptionRecord,
        _ review: ReviewOutcome?,
        _ charge: Int64?,
        _ context: CommandContext
    ) throws -> TillError? {
        if review != nil {
            guard try charge.flatMap({ try context.ledger.charge(key: $0) })?.state == .needsReview else {
                return SubscriptionRecord.refusal("No charge for the renewal needs review.")
            }
            return try isPaymentUnderWay(for: record, context) ? SubscriptionRecord.paymentUnderWay : nil
        }
        guard !record.isUnderReview else {
            return SubscriptionRecord.underReview
        }
        guard record.state == .inGracePeriod || record.state == .inBillingRetryPeriod else {
            return SubscriptionRecord.refusal("The subscription's renewal is not unpaid.")
        }
        guard RenewalPrice(record, product: product(record.renewalProductID)) != nil else {
            return SubscriptionRecord.refusal("The store does not have \(record.renewalProductID) any more.")
        }
        return try isPaymentUnderWay(for: record, context) ? SubscriptionRecord.paymentUnderWay : nil
    }

    private func settle(_ charge: ChargeRecord, _ review: ReviewOutcome, _ context: inout CommandContext) throws {
        guard charge.state == .needsReview else {
            return
        }
        let outcome: DefiniteOutcome =
            switch review {
            case .charged(let reference): .succeeded(reference: reference ?? "")
            case .notCharged: .declined(PaymentError(.unknown, "An operator found that the renewal was not charged."))
            }
        var charge = charge
        charge.settle(outcome)
        try context.save(charge)
        try settleRenewal(charge, outcome, &context)
    }

    /// The charge for the subscription's renewal whose outcome is unknown. Found by a search, since it belongs to no
    /// transaction.
    private static func chargeUnderReview(ofSubscription key: Int64, _ ledger: any LedgerReader) throws -> Int64? {
        let latest = try ledger.subscription(key: key).flatMap { try ledger.charge(forTransaction: $0.latestKey) }
        var after = latest?.key ?? 0
        while true {
            let page = try ledger.charges(afterKey: after, limit: chargePage)
            if let found = page.first(where: { $0.subscriptionKey == key && $0.state == .needsReview }) {
                return found.key
            }
            guard page.count == chargePage, let last = page.last else {
                return nil
            }
            after = last.key
        }
    }
}
