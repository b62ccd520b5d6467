import Foundation

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
