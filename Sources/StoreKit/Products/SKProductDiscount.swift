public import CStoreKit
public import Foundation

/// A subscription's price for a limited time (https://developer.apple.com/documentation/storekit/skproductdiscount).
// Its only stored property is a constant of a Sendable type.
open class SKProductDiscount: NSObject, @unchecked Sendable {
    /// How it is paid. Open: every number is a mode
    /// (https://developer.apple.com/documentation/storekit/skproductdiscount/paymentmode-swift.enum).
    public typealias PaymentMode = SKProductDiscountPaymentMode

    /// What kind of offer it is. Open: every number is a kind
    /// (https://developer.apple.com/documentation/storekit/skproductdiscount/type-swift.enum).
    public typealias `Type` = SKProductDiscountType

    private let terms: DiscountTerms

    /// A discount that no product has.
    public override init() {
        terms = DiscountTerms()
        super.init()
    }

    init(terms: DiscountTerms) {
        self.terms = terms
        super.init()
    }

    /// In the currency of ``priceLocale`` (https://developer.apple.com/documentation/storekit/skproductdiscount/price).
    open var price: NSDecimalNumber { NSDecimalNumber(decimal: terms.price) }

    /// Of the price (https://developer.apple.com/documentation/storekit/skproductdiscount/pricelocale).
    open var priceLocale: Locale { terms.priceLocale }

    /// What an ``SKPaymentDiscount`` names; nil for an introductory one
    /// (https://developer.apple.com/documentation/storekit/skproductdiscount/identifier).
    open var identifier: String? { terms.identifier }

    /// How long one period is (https://developer.apple.com/documentation/storekit/skproductdiscount/subscriptionperiod).
    open var subscriptionPeriod: SKProductSubscriptionPeriod { terms.period }

    /// How many it lasts (https://developer.apple.com/documentation/storekit/skproductdiscount/numberofperiods).
    open var numberOfPeriods: Int { terms.numberOfPeriods }

    /// How it is paid (https://developer.apple.com/documentation/storekit/skproductdiscount/paymentmode-swift.property).
    open var paymentMode: SKProductDiscount.PaymentMode { terms.paymentMode }

    /// What kind of offer it is (https://developer.apple.com/documentation/storekit/skproductdiscount/type-swift.property).
    open var type: SKProductDiscount.`Type` { terms.type }
}
