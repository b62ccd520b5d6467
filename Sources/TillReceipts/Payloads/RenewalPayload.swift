import FoundationEssentials
import TillEngine
import TillModel

/// A subscription's renewal information in the App Store's format
/// (https://developer.apple.com/documentation/appstoreserverapi/jwsrenewalinfodecodedpayload).
///
/// Dates are whole milliseconds. Nil values are omitted, and so are the fields for products that this store does not
/// sell: `advancedCommerceInfo`, `commitmentInfo`, `eligibleWinBackOfferIds` and `renewalBillingPlanType`.
struct RenewalPayload {
    var appAccountToken: String?
    var appTransactionId: String
    var autoRenewProductId: String
    var autoRenewStatus: Int
    var currency: String?
    var environment: String
    var expirationIntent: Int?
    var gracePeriodExpiresDate: Int64?
    var isInBillingRetryPeriod: Bool
    var offerDiscountType: String?
    var offerIdentifier: String?
    var offerPeriod: String?
    var offerType: Int?
    var originalTransactionId: String
    var priceIncreaseStatus: Int?
    var productId: String
    var recentSubscriptionStartDate: Int64?
    var renewalDate: Int64
    /// The price in thousandths of the currency.
    var renewalPrice: Int64?
    var signedDate: Int64

    init(_ facts: RenewalFacts, environment: ReceiptEnvironment) {
        let record = facts.subscription
        appAccountToken = facts.applicationUsername.flatMap { UUID(uuidString: $0)?.text }
        appTransactionId = facts.numbering.applications.identifier(ofKey: record.queue)
        autoRenewProductId = record.renewalProductID
        autoRenewStatus = record.willRenew ? 1 : 0
        currency = facts.price?.currency
        self.environment = environment.rawValue
        expirationIntent = record.state == .expired ? record.expirationReason?.rawValue : nil
        gracePeriodExpiresDate = record.state == .inGracePeriod ? record.graceEnd?.millisecondsSince1970 : nil
        isInBillingRetryPeriod = record.state == .inBillingRetryPeriod || record.state == .inGracePeriod
        offerDiscountType = facts.offer?.paymentMode.receiptName
        offerIdentifier = facts.offer?.id
        offerPeriod = facts.offerPeriod
        offerType = facts.offer?.type.receiptNumber
        originalTransactionId = facts.numbering.transactions.identifier(ofKey: record.original.key)
        priceIncreaseStatus = record.priceConsent.receiptNumber
        productId = record.productID
        recentSubscriptionStartDate = record.recentStart?.millisecondsSince1970
        renewalDate = record.periodEnd.millisecondsSince1970
        renewalPrice = facts.price?.milliunits
        signedDate = facts.date.millisecondsSince1970
    }
}

extension RenewalPayload {
    /// The JSON object with its members sorted by name, so that the same facts result in the same bytes.
    var json: [UInt8] {
        var object = FlatJSON()
        object.add("appAccountToken", appAccountToken)
        object.add("appTransactionId", appTransactionId)
        object.add("autoRenewProductId", autoRenewProductId)
        object.add("autoRenewStatus", autoRenewStatus)
        object.add("currency", currency)
        object.add("environment", environment)
        object.add("expirationIntent", expirationIntent)
        object.add("gracePeriodExpiresDate", gracePeriodExpiresDate)
        object.add("isInBillingRetryPeriod", isInBillingRetryPeriod)
        object.add("offerDiscountType", offerDiscountType)
        object.add("offerIdentifier", offerIdentifier)
        object.add("offerPeriod", offerPeriod)
        object.add("offerType", offerType)
        object.add("originalTransactionId", originalTransactionId)
        object.add("priceIncreaseStatus", priceIncreaseStatus)
        object.add("productId", productId)
        object.add("recentSubscriptionStartDate", recentSubscriptionStartDate)
        object.add("renewalDate", renewalDate)
        object.add("renewalPrice", renewalPrice)
        object.add("signedDate", signedDate)
        return object.closed()
    }
}

extension PriceConsent {
    /// https://developer.apple.com/documentation/appstoreserverapi/priceincreasestatus. A refusal has no number there;
    /// it appears as the `expirationIntent` once the subscription expires.
    fileprivate var receiptNumber: Int? {
        switch self {
        case .pending: 0
        case .agreed: 1
        case .none, .declined: nil
        }
    }
}
