/// A transaction in the App Store's format
/// (https://developer.apple.com/documentation/appstoreserverapi/jwstransactiondecodedpayload).
///
/// Dates are whole milliseconds. Nil values are omitted.
struct TransactionPayload {
    var appAccountToken: String?
    var appTransactionId: String
    var bundleId: String
    var currency: String?
    var environment: String
    var expiresDate: Int64?
    var inAppOwnershipType = "PURCHASED"
    var isUpgraded: Bool?
    var offerDiscountType: String?
    var offerIdentifier: String?
    /// An ISO 8601 duration.
    var offerPeriod: String?
    var offerType: Int?
    var originalPurchaseDate: Int64
    var originalTransactionId: String
    /// The price in thousandths of the currency.
    var price: Int64?
    var productId: String
    var purchaseDate: Int64
    var quantity: Int
    var revocationDate: Int64?
    /// The percentage in thousandths of a percent.
    var revocationPercentage: Int?
    var revocationReason: Int?
    var revocationType: String?
    var signedDate: Int64
    var storefront: String
    var storefrontId: String?
    var subscriptionGroupIdentifier: String?
    var transactionId: String
    var transactionReason: String
    var type: String?
    var webOrderLineItemId: String?
}

extension TransactionPayload {
    /// The JSON object with its members sorted by name, so that the same facts result in the same bytes.
    var json: [UInt8] {
        var object = FlatJSON()
        object.add("appAccountToken", appAccountToken)
        object.add("appTransactionId", appTransactionId)
        object.add("bundleId", bundleId)
        object.add("currency", currency)
        object.add("environment", environment)
        object.add("expiresDate", expiresDate)
        object.add("inAppOwnershipType", inAppOwnershipType)
        object.add("isUpgraded", isUpgraded)
        object.add("offerDiscountType", offerDiscountType)
        object.add("offerIdentifier", offerIdentifier)
        object.add("offerPeriod", offerPeriod)
        object.add("offerType", offerType)
        object.add("originalPurchaseDate", originalPurchaseDate)
        object.add("originalTransactionId", originalTransactionId)
        object.add("price", price)
        object.add("productId", productId)
        object.add("purchaseDate", purchaseDate)
        object.add("quantity", quantity)
        object.add("revocationDate", revocationDate)
        object.add("revocationPercentage", revocationPercentage)
        object.add("revocationReason", revocationReason)
        object.add("revocationType", revocationType)
        object.add("signedDate", signedDate)
        object.add("storefront", storefront)
        object.add("storefrontId", storefrontId)
        object.add("subscriptionGroupIdentifier", subscriptionGroupIdentifier)
        object.add("transactionId", transactionId)
        object.add("transactionReason", transactionReason)
        object.add("type", type)
        object.add("webOrderLineItemId", webOrderLineItemId)
        return object.object
    }
}
