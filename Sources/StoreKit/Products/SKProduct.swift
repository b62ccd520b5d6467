public import CStoreKit
public import Foundation
import TillModel

/// A product of the store (https://developer.apple.com/documentation/storekit/skproduct).
// Its only stored property is a constant of a Sendable type.
open class SKProduct: NSObject, @unchecked Sendable {
    /// The unit of a subscription's period. The set is open: every number is a unit
    /// (https://developer.apple.com/documentation/storekit/skproduct/periodunit).
    public typealias PeriodUnit = SKProductPeriodUnit

    private let values: ProductValues

    /// Creates an empty product, which no store sells.
    public override init() {
        values = ProductValues()
        super.init()
    }

    init(values: ProductValues) {
        self.values = values
        super.init()
    }

    /// The description in the store's language
    /// (https://developer.apple.com/documentation/storekit/skproduct/localizeddescription).
    open var localizedDescription: String { values.description }

    /// The name in the store's language (https://developer.apple.com/documentation/storekit/skproduct/localizedtitle).
    open var localizedTitle: String { values.title }

    /// The price in the currency of ``priceLocale``
    /// (https://developer.apple.com/documentation/storekit/skproduct/price).
    open var price: NSDecimalNumber { NSDecimalNumber(decimal: values.price) }

    /// The language of the texts and the currency of the price
    /// (https://developer.apple.com/documentation/storekit/skproduct/pricelocale).
    open var priceLocale: Locale { values.priceLocale }

    /// The product's identifier, as payments use it
    /// (https://developer.apple.com/documentation/storekit/skproduct/productidentifier).
    open var productIdentifier: String { values.identifier }

    /// Whether the store hosts content for the product
    /// (https://developer.apple.com/documentation/storekit/skproduct/isdownloadable).
    open var isDownloadable: Bool { !values.contentLengths.isEmpty }

    /// Whether the buyer's family may use the product
    /// (https://developer.apple.com/documentation/storekit/skproduct/isfamilyshareable).
    open var isFamilyShareable: Bool { values.isFamilyShareable }

    /// The length of each piece of content in bytes
    /// (https://developer.apple.com/documentation/storekit/skproduct/downloadcontentlengths).
    open var downloadContentLengths: [NSNumber] { values.contentLengths.map { NSNumber(value: $0) } }

    /// The version of the first piece of content; empty without content
    /// (https://developer.apple.com/documentation/storekit/skproduct/downloadcontentversion).
    open var downloadContentVersion: String { values.contentVersion }

    /// ``downloadContentVersion`` under macOS's older name
    /// (https://developer.apple.com/documentation/storekit/skproduct/contentversion).
    open var contentVersion: String { downloadContentVersion }

    /// ``downloadContentLengths`` under macOS's older name
    /// (https://developer.apple.com/documentation/storekit/skproduct/contentlengths).
    open var contentLengths: [NSNumber] { downloadContentLengths }

    /// ``isDownloadable`` under macOS's older name
    /// (https://developer.apple.com/documentation/storekit/skproduct/downloadable).
    open var downloadable: Bool { isDownloadable }

    /// The length of one subscription period; nil for other products
    /// (https://developer.apple.com/documentation/storekit/skproduct/subscriptionperiod).
    open var subscriptionPeriod: SKProductSubscriptionPeriod? { values.subscriptionPeriod }

    /// The introductory offer for new subscribers
    /// (https://developer.apple.com/documentation/storekit/skproduct/introductoryprice).
    open var introductoryPrice: SKProductDiscount? { values.introductoryPrice }

    /// The identifier of the subscription group; an account has at most one subscription of a group at a time
    /// (https://developer.apple.com/documentation/storekit/skproduct/subscriptiongroupidentifier).
    open var subscriptionGroupIdentifier: String? { values.groupIdentifier }

    /// The offers that a payment can name (https://developer.apple.com/documentation/storekit/skproduct/discounts).
    open var discounts: [SKProductDiscount] { values.discounts }
}

/// The values of a product.
struct ProductValues: Sendable {
    var identifier = ""
    var title = ""
    var description = ""
    var price = Decimal()
    var priceLocale = Locale(identifier: "en_US")
    var isFamilyShareable = false
    var subscriptionPeriod: SKProductSubscriptionPeriod?
    var groupIdentifier: String?
    var introductoryPrice: SKProductDiscount?
    var discounts: [SKProductDiscount] = []
    var contentLengths: [Int64] = []
    var contentVersion = ""
}

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
