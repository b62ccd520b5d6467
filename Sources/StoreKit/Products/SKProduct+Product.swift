import Foundation
import TillModel

extension SKProduct {
    convenience init(_ product: Product) {
        let locale = Locale(language: product.locale, currency: product.price.currency)
        let offers = product.subscription?.offers ?? []
        self.init(
            fields: ProductFields(
                identifier: product.id,
                title: product.displayName,
                description: product.description,
                price: product.price.amount,
                priceLocale: locale,
                isFamilyShareable: product.isFamilyShareable,
                subscriptionPeriod: (product.subscription?.period).map { SKProductSubscriptionPeriod($0) },
                groupIdentifier: product.subscription?.groupID,
                introductoryPrice: offers.first { $0.type == .introductory }.map { SKProductDiscount($0, locale) },
                discounts: offers.filter { $0.type == .promotional }.map { SKProductDiscount($0, locale) },
                contentLengths: product.contents.map(\.length),
                contentVersion: product.contents.first?.version ?? ""
            )
        )
    }
}

extension SKProductSubscriptionPeriod {
    fileprivate convenience init(_ period: SubscriptionPeriod) {
        self.init(
            numberOfUnits: period.value,
            unit: SKProduct.PeriodUnit(rawValue: UInt(clamping: period.unit.rawValue)) ?? .day
        )
    }
}

extension SKProductDiscount {
    fileprivate convenience init(_ offer: SubscriptionOffer, _ locale: Locale) {
        self.init(
            terms: DiscountTerms(
                price: offer.price.amount,
                priceLocale: locale,
                identifier: offer.id,
                period: SKProductSubscriptionPeriod(offer.period),
                numberOfPeriods: offer.periodCount,
                paymentMode: PaymentMode(rawValue: UInt(clamping: offer.paymentMode.rawValue)) ?? .payAsYouGo,
                type: offer.type == .introductory ? .introductory : .subscription
            )
        )
    }
}

extension Locale {
    /// A language, which decides how prices are written, and the currency that they are in.
    fileprivate init(language: String, currency: String) {
        var components = Components(identifier: language)
        components.currency = Currency(currency)
        self.init(components: components)
    }
}
