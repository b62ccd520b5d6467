import FoundationEssentials
import TillModel

extension SubscriptionRecord {
    /// Whether the account may use what it subscribed to.
    ///
    /// A period that has passed while its renewal is not settled is over, except in a grace period.
    func isInForce(at date: Date) -> Bool {
        switch state {
        case .subscribed: date < periodEnd
        case .inGracePeriod: graceEnd.map { date < $0 } ?? false
        case .expired, .inBillingRetryPeriod, .revoked: false
        }
    }

    /// The state as of a date, where what is due may not have been done yet.
    func state(at date: Date) -> SubscriptionState {
        switch state {
        case .subscribed where !isInForce(at: date): willRenew ? .inBillingRetryPeriod : .expired
        case .inGracePeriod where !isInForce(at: date): .inBillingRetryPeriod
        default: state
        }
    }

    /// Whether it has ended for good, so that only a purchase begins it again.
    package var hasEnded: Bool {
        state == .expired || state == .revoked
    }

    /// How the subscription stands, as applications see it.
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
