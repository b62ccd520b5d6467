import FoundationEssentials
import TillModel

extension SubscriptionRecord {
    /// The error that refuses an operation on it.
    static func refusal(_ message: String) -> TillError {
        TillError(.failedPrecondition, message)
    }

    /// Ends it now, without renewal.
    mutating func expireNow(at date: Date) throws(TillError) {
        guard !hasEnded else {
            throw Self.refusal("The subscription has ended already.")
        }
        periodEnd = min(periodEnd, date)
        expire(.autoRenewDisabled)
    }

    /// Begins the next period now: the rest of the present period is lost, and a question about a higher price is
    /// withdrawn.
    mutating func renewNow(at date: Date) throws(TillError) {
        guard !hasEnded else {
            throw Self.refusal("The subscription has ended; only a purchase begins it again.")
        }
        guard !isUnderReview else {
            throw Self.underReview
        }
        willRenew = true
        withdrawPriceQuestion()
        periodEnd = min(periodEnd, date)
        if hold != nil {
            resumeAttempts(at: date)
        }
        dueAt = date
    }

    mutating func setAutoRenew(_ isOn: Bool, at date: Date) throws(TillError) {
        guard !hasEnded else {
            throw Self.refusal("The subscription has ended; only a purchase begins it again.")
        }
        willRenew = isOn
        // While a charge is under way nothing is due: its outcome decides.
        guard state != .subscribed, dueAt != nil else {
            return
        }
        scheduleRetry()
        if !isOn, state == .inBillingRetryPeriod {
            dueAt = date
        }
    }

    /// Asks for consent to a higher price.
    mutating func announce(_ amount: Int64?, listed: Int64?) throws(TillError) {
        guard !hasEnded else {
            throw Self.refusal("The subscription has ended; there is no renewal to agree to.")
        }
        guard let amount = amount ?? listed, amount > renewalAmount, amount <= Price.chargeMaximum else {
            throw Self.refusal("The new price must be higher than the current price of renewals.")
        }
        announcedAmount = amount
        priceConsent = .pending
    }

    /// Answers that question; until the renewal, another answer may replace this one.
    ///
    /// - Parameter price: The price that the answer is about; nil for the present one.
    mutating func answerPrice(agrees: Bool, to price: Price? = nil) throws(TillError) {
        guard !hasEnded, priceConsent != .none else {
            throw Self.refusal("The subscription has no price increase to agree to or decline.")
        }
        guard price.map({ $0 == askedPrice }) ?? true else {
            throw Self.refusal("The price is now \(askedPrice.amount) \(askedPrice.currency): ask about that one.")
        }
        priceConsent = agrees ? .agreed : .declined
    }

    /// The price that the account is asked about.
    var askedPrice: Price {
        Price(minorUnits: announcedAmount ?? renewalAmount, currency: currency)
    }

    static let paymentUnderWay = refusal("A payment for the subscription is under way; try again when it is settled.")

    static func disputed(_ dispute: String) -> TillError {
        refusal("Nothing is charged for a renewal until the dispute \(dispute) is decided.")
    }

    static let underReview = refusal("The outcome of the last charge is unknown: resolve it first.")
}

extension SubscriptionRecord {
    /// Whether the account may use the subscribed product.
    ///
    /// A period that has passed before its renewal is settled has ended, except in a grace period.
    func isInForce(at date: Date) -> Bool {
        switch state {
        case .subscribed: date < periodEnd
        case .inGracePeriod: graceEnd.map { date < $0 } ?? false
        case .expired, .inBillingRetryPeriod, .revoked: false
        }
    }

    /// The state as of a date, even if due steps have not been done yet.
    func state(at date: Date) -> SubscriptionState {
        switch state {
        case .subscribed where !isInForce(at: date): willRenew ? .inBillingRetryPeriod : .expired
        case .inGracePeriod where !isInForce(at: date): .inBillingRetryPeriod
        default: state
        }
    }

    /// Whether it has ended, so that only a purchase begins it again.
    package var hasEnded: Bool {
        state == .expired || state == .revoked
    }

    /// The subscription's status, as applications see it.
    ///
    /// - Parameter latestID: The identity of the transaction of the last period.
    func status(
        at date: Date,
        latestID: UUID,
        renewalPrice: Price,
        identifiedBy numbering: LedgerNumbering
    ) -> SubscriptionStatus {
        let state = state(at: date)
        return SubscriptionStatus(
            groupID: groupID,
            productID: productID,
            renewalProductID: renewalProductID,
            state: state,
            expirationDate: periodEnd,
            gracePeriodExpirationDate: state == .inGracePeriod ? graceEnd : nil,
            willAutoRenew: willRenew,
            expirationReason: state == .expired ? expirationReason ?? .autoRenewDisabled : nil,
            priceConsent: priceConsent,
            renewalPrice: renewalPrice,
            originalID: original.id,
            originalTransactionIdentifier: numbering.transactions.identifier(ofKey: original.key),
            latestID: latestID
        )
    }
}
