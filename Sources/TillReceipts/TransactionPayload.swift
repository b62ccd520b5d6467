/// A transaction as the App Store writes it
/// (https://developer.apple.com/documentation/appstoreserverapi/jwstransactiondecodedpayload).
///
/// Dates are whole milliseconds. What is nil is not written.
struct TransactionPayload: Encodable {
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
    var offerType: Int?
    var originalPurchaseDate: Int64
    var originalTransactionId: String
    /// In thousandths of the currency.
    var price: Int64?
    var productId: String
    var purchaseDate: Int64
    var quantity: Int
    var revocationDate: Int64?
    /// In thousandths of a percent.
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
