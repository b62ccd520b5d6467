import Foundation

/// What a product's discount shows.
struct DiscountTerms: Sendable {
    var price = Decimal()
    var priceLocale = Locale(identifier: "en_US")
    var identifier: String?
    var period = SKProductSubscriptionPeriod()
    var numberOfPeriods = 0
    var paymentMode = SKProductDiscount.PaymentMode.payAsYouGo
    var type = SKProductDiscountType.introductory
}
