import FoundationEssentials
import TillModel

extension SubscriptionRecord {
    /// The next attempt at the renewal, if one is to come.
    var nextAttempt: Date? {
        retryEnd.flatMap { BillingRetry.date(afterAttempts: attempts, from: periodEnd, to: $0) }
    }

    /// Whether its last renewal was not paid for, and still may be.
    var isUnpaid: Bool {
        state == .inGracePeriod || state == .inBillingRetryPeriod
    }

    /// Why the unpaid renewal is not tried again by itself; nil if it is.
    var hold: BillingHold? {
        BillingHold(rawValue: attempts)
    }

    /// Whether the last attempt's outcome is unknown, so that an operator has to review it.
    var isUnderReview: Bool {
        hold == .review
    }

    /// Whether the due renewal depends on the charge, which is under way or in review. It does not once the
    /// subscription has ended or was bought again.
    func isAwaiting(_ charge: ChargeRecord) -> Bool {
        !hasEnded && (dueAt == nil || isUnderReview && charge.createdAt >= periodEnd)
    }

    /// Records a failed charge: the renewal is tried again, for as long as the store retries.
    ///
    /// - Parameters:
    ///   - period: The renewal's period.
    ///   - hold: Why it is not tried again by itself.
    mutating func failBilling(
        _ period: SubscriptionPeriod,
        _ settings: StoreSettings,
        hold: BillingHold? = nil,
        at date: Date
    ) {
        if state == .subscribed {
            let grace = settings.timeRate.gracePeriod(of: period).timeInterval
            retryEnd =
                periodEnd.addingTimeInterval(settings.timeRate.billingRetryPeriod.timeInterval)
                .roundedToMilliseconds
            graceEnd = settings.hasGracePeriod ? periodEnd.addingTimeInterval(grace).roundedToMilliseconds : nil
            state = graceEnd == nil ? .inBillingRetryPeriod : .inGracePeriod
            attempts = 1
        } else if self.hold != nil {
            resumeAttempts(at: date)
        } else {
            attempts += 1
        }
        if let hold {
            attempts = hold.rawValue
        }
        scheduleRetry()
    }

    /// Ends the grace period.
    mutating func endGrace() {
        state = .inBillingRetryPeriod
        graceEnd = nil
        scheduleRetry()
    }

    /// Ends it, unless it is bought again.
    mutating func expire(_ reason: ExpirationReason) {
        state = .expired
        expirationReason = reason
        willRenew = false
        clearBilling()
        dueAt = nil
    }

    /// Ends it because its last period was refunded.
    mutating func revoke() {
        state = .revoked
        willRenew = false
        clearBilling()
        dueAt = nil
    }

    /// Takes ``revoke()`` back, except that it does not renew.
    mutating func reinstate(at date: Date) {
        state = date < periodEnd ? .subscribed : .expired
        dueAt = date < periodEnd ? periodEnd : nil
    }

    /// Clears the billing state once the period is paid for.
    mutating func clearBilling() {
        graceEnd = nil
        retryEnd = nil
        attempts = 0
    }

    /// Sets when the next step of an unpaid renewal is due. A subscription without auto-renewal ends at once, or with
    /// its grace period.
    mutating func scheduleRetry() {
        guard willRenew || state == .inGracePeriod else {
            dueAt = periodEnd
            return
        }
        let grace = state == .inGracePeriod ? graceEnd : nil
        let attempt = willRenew ? nextAttempt : nil
        dueAt = [attempt, grace, retryEnd].compactMap(\.self).min()
    }

    /// Lets a renewal that was held be tried at once, unless its time is over.
    mutating func tryAgain(at date: Date) {
        resumeAttempts(at: date)
        if state == .inGracePeriod, let end = graceEnd, end <= date {
            endGrace()
        } else {
            scheduleRetry()
        }
        if willRenew, let end = retryEnd, date < end {
            dueAt = date
        }
    }

    /// Continues with the attempts that are still to come.
    mutating func resumeAttempts(at date: Date) {
        attempts = 1
        while let next = nextAttempt, next <= date {
            attempts += 1
        }
    }
}

/// Why an unpaid renewal is not tried again by itself. Its grace and retry periods run on, and end as always.
///
/// The ledger keeps it as the number of attempts.
enum BillingHold: Int, Hashable, Sendable, CaseIterable {
    /// The last attempt's outcome is unknown: an operator has to review it.
    case review = 1_000_000
    /// The payment method cannot pay again, or only if its payer confirms that. An operator tries the next one.
    case paymentMethod = 1_000_001
    /// A payment of the account is disputed. The renewal is tried once no dispute is open.
    case dispute = 1_000_002
}

/// When an unpaid renewal is tried again.
enum BillingRetry {
    /// Attempts after the first one, evenly spread over the retry period.
    static let attemptsMaximum = 8

    /// The date of the attempt after so many failed ones, counted from the end of the last paid period; nil when there
    /// is none.
    static func date(afterAttempts failed: Int, from start: Date, to end: Date) -> Date? {
        guard (1...attemptsMaximum).contains(failed) else {
            return nil
        }
        let step = end.timeIntervalSince(start) / Double(attemptsMaximum + 1)
        return start.addingTimeInterval(step * Double(failed)).roundedToMilliseconds
    }
}
