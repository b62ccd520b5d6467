import FoundationEssentials
import TillModel

/// What buying a product does to the subscription of its group
/// (https://developer.apple.com/app-store/subscriptions/#ranking).
enum SubscriptionChange: Equatable {
    /// Nothing is in force: a new period begins.
    case begin
    /// The product is subscribed to already.
    case keep
    /// The product takes the place of the present one at once, and what is left of the period is refunded: an upgrade,
    /// or a product of the same level and duration.
    case replace
    /// The product takes the place of the present one at the next renewal: a downgrade, or a product of the same level
    /// and another duration.
    case follow

    /// - Parameters:
    ///   - subscribed: The product that the account is subscribed to; nil when the store has it no more, so that
    ///     nothing can be compared and any other product takes its place at once.
    init(buying product: Product, existing: SubscriptionRecord?, subscribed: Product?, now: Date) {
        guard let existing, existing.isInForce(at: now) else {
            self = .begin
            return
        }
        guard product.id != existing.productID else {
            self = .keep
            return
        }
        guard let new = product.subscription, let old = subscribed?.subscription else {
            self = .replace
            return
        }
        let isUpgrade = new.level < old.level
        let isEquivalent = new.level == old.level && new.period.isAsLong(as: old.period)
        self = isUpgrade || isEquivalent ? .replace : .follow
    }
}

extension SubscriptionPeriod {
    /// Whether the two last the same in the calendar, for example 7 days and a week.
    fileprivate func isAsLong(as other: SubscriptionPeriod) -> Bool {
        normalized == other.normalized
    }

    private var normalized: SubscriptionPeriod {
        switch unit {
        case .week: SubscriptionPeriod(unit: .day, value: value * 7)
        case .year: SubscriptionPeriod(unit: .month, value: value * 12)
        case .day, .month: self
        }
    }
}
