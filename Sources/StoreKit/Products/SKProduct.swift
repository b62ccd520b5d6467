public import CStoreKit
public import Foundation

/// What is sold (https://developer.apple.com/documentation/storekit/skproduct).
// Its only stored property is a constant of a Sendable type.
open class SKProduct: NSObject, @unchecked Sendable {
    /// The unit of a subscription's period. Open: every number is a unit
    /// (https://developer.apple.com/documentation/storekit/skproduct/periodunit).
    public typealias PeriodUnit = SKProductPeriodUnit

    private let fields: ProductFields

    /// A product that no store sells, without a price.
    public override init() {
        fields = ProductFields()
        super.init()
    }

    init(fields: ProductFields) {
        self.fields = fields
        super.init()
    }

    /// In the store's language (https://developer.apple.com/documentation/storekit/skproduct/localizeddescription).
    open var localizedDescription: String { fields.description }

    /// In the store's language (https://developer.apple.com/documentation/storekit/skproduct/localizedtitle).
    open var localizedTitle: String { fields.title }

    /// In the currency of ``priceLocale`` (https://developer.apple.com/documentation/storekit/skproduct/price).
    open var price: NSDecimalNumber { NSDecimalNumber(decimal: fields.price) }

    /// The language of the texts and the currency of the price
    /// (https://developer.apple.com/documentation/storekit/skproduct/pricelocale).
    open var priceLocale: Locale { fields.priceLocale }

    /// What a payment names (https://developer.apple.com/documentation/storekit/skproduct/productidentifier).
    open var productIdentifier: String { fields.identifier }

    /// Whether the store hosts content for it
    /// (https://developer.apple.com/documentation/storekit/skproduct/isdownloadable).
    open var isDownloadable: Bool { !fields.contentLengths.isEmpty }

    /// Whether the buyer's family may use it
    /// (https://developer.apple.com/documentation/storekit/skproduct/isfamilyshareable).
    open var isFamilyShareable: Bool { fields.isFamilyShareable }

    /// Of each piece of its content, in bytes
    /// (https://developer.apple.com/documentation/storekit/skproduct/downloadcontentlengths).
    open var downloadContentLengths: [NSNumber] { fields.contentLengths.map { NSNumber(value: $0) } }

    /// Of its first piece of content; empty without any
    /// (https://developer.apple.com/documentation/storekit/skproduct/downloadcontentversion).
    open var downloadContentVersion: String { fields.contentVersion }

    /// The same, under macOS's older name (https://developer.apple.com/documentation/storekit/skproduct/contentversion).
    open var contentVersion: String { downloadContentVersion }

    /// ``downloadContentLengths`` under macOS's older name
    /// (https://developer.apple.com/documentation/storekit/skproduct/contentlengths).
    open var contentLengths: [NSNumber] { downloadContentLengths }

    /// ``isDownloadable`` under macOS's older name
    /// (https://developer.apple.com/documentation/storekit/skproduct/downloadable).
    open var downloadable: Bool { isDownloadable }

    /// How long a subscription lasts for its price; nil for other products
    /// (https://developer.apple.com/documentation/storekit/skproduct/subscriptionperiod).
    open var subscriptionPeriod: SKProductSubscriptionPeriod? { fields.subscriptionPeriod }

    /// The offer for who subscribes for the first time
    /// (https://developer.apple.com/documentation/storekit/skproduct/introductoryprice).
    open var introductoryPrice: SKProductDiscount? { fields.introductoryPrice }

    /// The subscriptions of which an account has one at a time
    /// (https://developer.apple.com/documentation/storekit/skproduct/subscriptiongroupidentifier).
    open var subscriptionGroupIdentifier: String? { fields.groupIdentifier }

    /// The offers that a payment can name (https://developer.apple.com/documentation/storekit/skproduct/discounts).
    open var discounts: [SKProductDiscount] { fields.discounts }
}
