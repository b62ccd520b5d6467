import Foundation
import TillModel

extension SKProduct {
    convenience init(_ product: Product) {
        let locale = Locale(language: product.locale, currency: product.price.currency)
        let offers = product.subscription?.offers ?? []
        self.init(
            values: ProductValues(
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
            values: ProductDiscountValues(
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
    /// Creates a locale from a language tag, whose language and region determine the price format, and a currency. The
    /// identifier has Apple's form, for example `en_US@currency=USD`; `Locale.Components` would write `usd`.
    fileprivate init(language: String, currency: String) {
        self.init(identifier: "\(language.replacing("-", with: "_"))@currency=\(currency)")
    }
}
