import FoundationEssentials
import TillModel

extension SubscriptionRecord {
    /// The next attempt at the renewal, if one is to come.
    var nextAttempt: Date? {
        retryEnd.flatMap { BillingRetry.date(afterAttempts: attempts, from: periodEnd, to: $0) }
    }

    /// Whether the last attempt's outcome is unknown, and an operator has to find out.
    var isUnderReview: Bool {
        attempts == BillingRetry.underReview
    }

    /// Whether the renewal that is due depends on the charge, which is under way or in review: not once the subscription
    /// has ended, or was bought again.
    func isAwaiting(_ charge: ChargeRecord) -> Bool {
        !hasEnded && (dueAt == nil || isUnderReview && charge.createdAt >= periodEnd)
    }

    /// The renewal was not paid for: it is tried again, for as long as the store does that.
    ///
    /// - Parameters:
    ///   - period: The renewal's.
    ///   - needsReview: Whether the money may have moved, so that it must not be tried again.
    mutating func failBilling(_ period: SubscriptionPeriod, _ settings: StoreSettings, needsReview: Bool, at date: Date)
    {
        if state == .subscribed {
            let grace = settings.timeRate.gracePeriod(of: period).timeInterval
            retryEnd =
                periodEnd.addingTimeInterval(settings.timeRate.billingRetryPeriod.timeInterval)
                .roundedToMilliseconds
            graceEnd = settings.hasGracePeriod ? periodEnd.addingTimeInterval(grace).roundedToMilliseconds : nil
            state = graceEnd == nil ? .inBillingRetryPeriod : .inGracePeriod
            attempts = 1
        } else if isUnderReview {
            resumeAttempts(at: date)
        } else {
            attempts += 1
        }
        if needsReview {
            attempts = BillingRetry.underReview
        }
        scheduleRetry()
    }

    /// The grace period is over.
    mutating func endGrace() {
        state = .inBillingRetryPeriod
        graceEnd = nil
        scheduleRetry()
    }

    /// Nothing more comes of it, unless it is bought again.
    mutating func expire(_ reason: ExpirationReason) {
        state = .expired
        expirationReason = reason
        willRenew = false
        clearBilling()
        dueAt = nil
    }

    /// Its last period was taken back.
    mutating func revoke() {
        state = .revoked
        willRenew = false
        clearBilling()
        dueAt = nil
    }

    /// The period was paid for.
    mutating func clearBilling() {
        graceEnd = nil
        retryEnd = nil
        attempts = 0
    }

    /// When something happens next to what is not paid for. What is not to renew ends at once, or with its grace.
    mutating func scheduleRetry() {
        guard willRenew || state == .inGracePeriod else {
            dueAt = periodEnd
            return
        }
        let grace = state == .inGracePeriod ? graceEnd : nil
        let attempt = willRenew ? nextAttempt : nil
        dueAt = [attempt, grace, retryEnd].compactMap(\.self).min()
    }

    /// Goes on with the attempts that are still to come.
    private mutating func resumeAttempts(at date: Date) {
        attempts = 1
        while let next = nextAttempt, next <= date {
            attempts += 1
        }
    }
}

/// When a renewal that was not paid for is tried again.
enum BillingRetry {
    /// Attempts after the first one, evenly spread over the retry period.
    static let attemptsMaximum = 8
    /// In the place of a number of attempts: none is made before an operator says what became of the last one.
    static let underReview = 1_000_000

    /// When the attempt after so many failed ones is made, counting from the end of the unpaid period's predecessor;
    /// nil when there is none.
    static func date(afterAttempts failed: Int, from start: Date, to end: Date) -> Date? {
        guard (1...attemptsMaximum).contains(failed) else {
            return nil
        }
        let step = end.timeIntervalSince(start) / Double(attemptsMaximum + 1)
        return start.addingTimeInterval(step * Double(failed)).roundedToMilliseconds
    }
}
