public import CStoreKit
public import Foundation

/// A subscription's price for a limited time (https://developer.apple.com/documentation/storekit/skproductdiscount).
// Its only stored property is a constant of a Sendable type.
open class SKProductDiscount: NSObject, @unchecked Sendable {
    /// The payment mode. The set is open: every number is a mode
    /// (https://developer.apple.com/documentation/storekit/skproductdiscount/paymentmode-swift.enum).
    public typealias PaymentMode = SKProductDiscountPaymentMode

    /// The type of the offer. The set is open: every number is a type
    /// (https://developer.apple.com/documentation/storekit/skproductdiscount/type-swift.enum).
    public typealias `Type` = SKProductDiscountType

    private let values: ProductDiscountValues

    /// Creates an empty discount, which no product has.
    public override init() {
        values = ProductDiscountValues()
        super.init()
    }

    init(values: ProductDiscountValues) {
        self.values = values
        super.init()
    }

    /// The price in the currency of ``priceLocale``
    /// (https://developer.apple.com/documentation/storekit/skproductdiscount/price).
    open var price: NSDecimalNumber { NSDecimalNumber(decimal: values.price) }

    /// The locale of the price (https://developer.apple.com/documentation/storekit/skproductdiscount/pricelocale).
    open var priceLocale: Locale { values.priceLocale }

    /// The offer's identifier, as an ``SKPaymentDiscount`` uses it; nil for an introductory offer
    /// (https://developer.apple.com/documentation/storekit/skproductdiscount/identifier).
    open var identifier: String? { values.identifier }

    /// The length of one period
    /// (https://developer.apple.com/documentation/storekit/skproductdiscount/subscriptionperiod).
    open var subscriptionPeriod: SKProductSubscriptionPeriod { values.period }

    /// The number of periods (https://developer.apple.com/documentation/storekit/skproductdiscount/numberofperiods).
    open var numberOfPeriods: Int { values.numberOfPeriods }

    /// The payment mode
    /// (https://developer.apple.com/documentation/storekit/skproductdiscount/paymentmode-swift.property).
    open var paymentMode: SKProductDiscount.PaymentMode { values.paymentMode }

    /// The type of the offer
    /// (https://developer.apple.com/documentation/storekit/skproductdiscount/type-swift.property).
    open var type: SKProductDiscount.`Type` { values.type }
}

/// The values of a product's discount.
struct ProductDiscountValues: Sendable {
    var price = Decimal()
    var priceLocale = Locale(identifier: "en_US")
    var identifier: String?
    var period = SKProductSubscriptionPeriod()
    var numberOfPeriods = 0
    var paymentMode = SKProductDiscount.PaymentMode.payAsYouGo
    var type = SKProductDiscountType.introductory
}

/// A length of time in calendar units (https://developer.apple.com/documentation/storekit/skproductsubscriptionperiod).
// Its stored properties are constants of Sendable types.
open class SKProductSubscriptionPeriod: NSObject, @unchecked Sendable {
    private let fields: (count: Int, unit: SKProduct.PeriodUnit)

    /// Creates a period of zero days.
    public override init() {
        fields = (0, .day)
        super.init()
    }

    init(numberOfUnits: Int, unit: SKProduct.PeriodUnit) {
        fields = (numberOfUnits, unit)
        super.init()
    }

    /// The number of units
    /// (https://developer.apple.com/documentation/storekit/skproductsubscriptionperiod/numberofunits).
    open var numberOfUnits: Int { fields.count }

    /// The calendar unit (https://developer.apple.com/documentation/storekit/skproductsubscriptionperiod/unit).
    open var unit: SKProduct.PeriodUnit { fields.unit }
}
