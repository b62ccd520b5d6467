import Foundation

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
