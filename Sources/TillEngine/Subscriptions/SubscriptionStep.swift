import FoundationEssentials
import TillModel

/// The due step of a subscription, one at a time and each as of its own date, however late it is done.
enum SubscriptionStep: Equatable {
    /// The rows and facts that it depends on.
    struct Facts {
        /// The product of the next renewal, as the present storefront sells it.
        var product: Product?
        var settings = StoreSettings()
    }

    /// Nothing is due by now, or a charge is under way.
    case none
    /// The subscription changes to this; another step may be due.
    case change(SubscriptionRecord)
    /// The next period is to be paid for.
    case renew(RenewalPrice, asOf: Date)

    static func next(_ record: SubscriptionRecord, _ facts: Facts, now: Date) -> SubscriptionStep {
        guard let date = record.dueAt, date <= now else {
            return .none
        }
        switch record.state {
        case .subscribed: return atEnd(of: record, facts, date)
        case .inGracePeriod, .inBillingRetryPeriod: return unpaid(record, facts, date)
        case .expired, .revoked: return .change(record.changed { $0.dueAt = nil })
        }
    }

    private static func atEnd(of record: SubscriptionRecord, _ facts: Facts, _ date: Date) -> SubscriptionStep {
        guard record.willRenew else {
            return .change(record.changed { $0.expire(.autoRenewDisabled) })
        }
        return attempt(record, facts, date)
    }

    private static func unpaid(_ record: SubscriptionRecord, _ facts: Facts, _ date: Date) -> SubscriptionStep {
        if let end = record.graceEnd, record.state == .inGracePeriod {
            if date >= end {
                return .change(record.changed { $0.endGrace() })
            }
        } else if !record.willRenew {
            return .change(record.changed { $0.expire(.autoRenewDisabled) })
        }
        guard let end = record.retryEnd, date < end else {
            return .change(record.changed { $0.expire(.billingError) })
        }
        guard record.willRenew, record.hold == nil else {
            return .change(record.changed { $0.scheduleRetry() })
        }
        return attempt(record, facts, date)
    }

    private static func attempt(_ record: SubscriptionRecord, _ facts: Facts, _ date: Date) -> SubscriptionStep {
        guard let price = RenewalPrice(record, product: facts.product), let info = facts.product?.subscription else {
            return .change(record.changed { $0.expire(.productUnavailable) })
        }
        if price.offer == nil, record.priceConsent == .pending || record.priceConsent == .declined {
            return .change(record.changed { $0.expire(.didNotConsentToPriceIncrease) })
        }
        // A free renewal needs no billing.
        if facts.settings.failsRenewals, price.amount > 0 {
            return .change(record.changed { $0.failBilling(info.period, facts.settings, at: date) })
        }
        return .renew(price, asOf: date)
    }
}

extension SubscriptionRecord {
    func changed(_ change: (inout SubscriptionRecord) -> Void) -> SubscriptionRecord {
        var record = self
        change(&record)
        return record
    }
}
