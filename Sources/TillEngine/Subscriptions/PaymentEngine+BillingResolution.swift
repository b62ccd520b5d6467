import FoundationEssentials
import TillModel

extension PaymentEngine {
    /// Tries a renewal that was not paid for again, now, also where the store was told to fail renewals.
    ///
    /// - Parameter review: What the provider did with the oldest charge for a renewal of which that is unknown; only then.
    /// - Throws: `failedPrecondition` when there is nothing to try again, or the review is missing: nothing happened.
    func resolveBilling(
        ofSubscription key: Int64,
        review: ReviewOutcome? = nil,
        by identity: OperatorIdentity
    ) async throws(TillError) {
        try await commit { context -> Result<Void, TillError> in
            guard let record = try context.ledger.subscription(key: key),
                let latest = try context.ledger.transaction(key: record.latestKey)
            else {
                return .failure(TillError(.notFound, "There is no such subscription."))
            }
            let charge = try review.flatMap { _ in try context.ledger.chargeInReview(ofSubscription: key) }
            if let refusal = try self.refusal(record, review, charge, context) {
                return .failure(refusal)
            }
            let detail = review.map(\.text) ?? ""
            try context.audit("ResolveBilling", subject: latest.id.text, detail: detail, by: identity)
            try context.note(latest.key, by: "uid:\(identity.uid)", "ResolveBilling \(detail)")
            if let review, let charge {
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
        _ charge: ChargeRecord?,
        _ context: CommandContext
    ) throws -> TillError? {
        if review != nil {
            guard charge != nil else {
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
}
