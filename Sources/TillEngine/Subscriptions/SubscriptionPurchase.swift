import FoundationEssentials
import TillModel

/// Whether an auto-renewable subscription can be bought, and the price of its first period.
enum SubscriptionPurchase {
    static func plan(_ payment: Payment, _ product: Product, _ facts: PurchasePlan.Facts) -> PurchasePlan {
        guard let group = product.subscription?.groupID, product.price.minorUnits(quantity: 1) != nil else {
            return .refused(PurchasePlan.unchargeable(product))
        }
        if let discount = payment.discount, let fault = fault(of: discount, product, facts) {
            return .refused(fault)
        }
        let change = SubscriptionChange(
            buying: product,
            existing: facts.subscription,
            subscribed: facts.subscribedProduct,
            now: facts.now
        )
        switch (change, facts.subscription) {
        case (.keep, let existing?), (.follow, let existing?):
            guard payment.discount == nil || product.price.currency == existing.currency else {
                return .refused(otherCurrency(product, existing))
            }
            return .owned(existing.original)
        case (.begin, let existing), (.replace, let existing):
            let offer =
                if let discount = payment.discount {
                    product.promotionalOffer(discount.identifier)
                } else {
                    change == .begin && isEligibleForIntroduction(existing) ? product.introductoryOffer : nil
                }
            return due(product, offer, group)
        case (.keep, nil), (.follow, nil):
            return due(product, nil, group)
        }
    }

    /// The ``ChargeRecord/exclusiveGroup`` of charges for a subscription group; only one is open at a time.
    static func exclusiveGroup(ofSubscriptionGroup groupID: String) -> String {
        "group:\(groupID)"
    }

    /// The subscription group of such an exclusive group.
    static func subscriptionGroup(ofExclusiveGroup exclusiveGroup: String) -> String? {
        let prefix = self.exclusiveGroup(ofSubscriptionGroup: "")
        return exclusiveGroup.hasPrefix(prefix) ? String(exclusiveGroup.dropFirst(prefix.count)) : nil
    }

    /// Introductory offers are for new and returning customers who have not used one of the group
    /// (https://developer.apple.com/documentation/storekit/implementing-introductory-offers-in-your-app).
    private static func isEligibleForIntroduction(_ existing: SubscriptionRecord?) -> Bool {
        existing?.hasUsedIntroductoryOffer != true
    }

    private static func due(_ product: Product, _ offer: SubscriptionOffer?, _ group: String) -> PurchasePlan {
        guard let amount = offer.map(\.chargeAmount) ?? product.price.minorUnits(quantity: 1) else {
            return .refused(unusablePrice(product))
        }
        return .due(
            PurchasePrice(
                amount: amount,
                currency: product.price.currency,
                exclusiveGroup: exclusiveGroup(ofSubscriptionGroup: group),
                offer: offer.map(AppliedOffer.init),
                amountAfterOffer: offer.flatMap { _ in product.price.minorUnits(quantity: 1) }
            )
        )
    }

    /// The error of an invalid discount, by StoreKit's codes; nil for a valid one.
    private static func fault(
        of discount: PaymentDiscount,
        _ product: Product,
        _ facts: PurchasePlan.Facts
    ) -> PaymentError? {
        guard let offer = product.promotionalOffer(discount.identifier) else {
            return PaymentError(
                .invalidOfferIdentifier,
                "\(product.id) has no promotional offer \(discount.identifier).",
                reason: .invalidOffer
            )
        }
        if let fault = facts.discountFault {
            return fault
        }
        guard facts.subscription != nil else {
            return PaymentError(
                .ineligibleForOffer,
                "Promotional offers are for present and former subscribers to the group.",
                reason: .invalidOffer
            )
        }
        return offer.chargeAmount == nil ? unusablePrice(product) : nil
    }

    /// A discount on the subscribed product applies to its renewals.
    private static func otherCurrency(_ product: Product, _ existing: SubscriptionRecord) -> PaymentError {
        PaymentError(
            .invalidOfferPrice,
            "The offer for \(product.id) is priced in \(product.price.currency), and renewals are paid in"
                + " \(existing.currency).",
            reason: .invalidOffer
        )
    }

    private static func unusablePrice(_ product: Product) -> PaymentError {
        PaymentError(
            .invalidOfferPrice,
            "The offer's price for \(product.id) cannot be charged in \(product.price.currency).",
            reason: .invalidOffer
        )
    }
}

/// The effect of buying a product on the subscription of its group
/// (https://developer.apple.com/app-store/subscriptions/#ranking).
enum SubscriptionChange: Equatable {
    /// Nothing is in force: a new period begins.
    case begin
    /// The product is subscribed to already.
    case keep
    /// The product replaces the present one at once, and the rest of the period is refunded: an upgrade, or a product
    /// of the same level and duration.
    case replace
    /// The product replaces the present one at the next renewal: a downgrade, or a product of the same level and
    /// another duration.
    case follow

    /// - Parameters:
    ///   - subscribed: The product that the account is subscribed to; nil when the store no longer has it, so that
    ///     products cannot be compared and any other product replaces it at once.
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
    /// Whether the two have the same length in the calendar, for example 7 days and a week.
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
