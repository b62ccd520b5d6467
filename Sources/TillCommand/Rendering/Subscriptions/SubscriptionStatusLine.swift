import FoundationEssentials
import TillModel

/// How a subscription stands.
struct SubscriptionStatusLine: TableRow {
    static let headings = ["PRODUCT", "STATE", "EXPIRES", "RENEWS", "PRICE", "ID"]

    let status: SubscriptionStatus

    var columns: [String] {
        [status.productID, state, expires, renews, status.renewalPrice.plain, status.latestID.text]
    }

    var state: String {
        status.expirationReason.map { "\(status.state.title) (\($0.title))" } ?? status.state.title
    }

    /// When it ends or ended, unless it is renewed.
    var expires: String {
        (status.gracePeriodExpirationDate ?? status.expirationDate).timestamp
    }

    /// Whether it goes on, as which product, and what the account says of a higher price.
    var renews: String {
        guard status.willAutoRenew else {
            return "no"
        }
        let product = status.renewalProductID == status.productID ? "yes" : "as \(status.renewalProductID)"
        return status.priceConsent == .none ? product : "\(product), higher price \(status.priceConsent.title)"
    }

    private enum Key: String, CodingKey {
        case state
        case groupID = "group_id"
        case productID = "product_id"
        case renewalProductID = "renewal_product_id"
        case expirationDate = "expiration_date"
        case gracePeriodExpirationDate = "grace_period_expiration_date"
        case willAutoRenew = "will_auto_renew"
        case expirationReason = "expiration_reason"
        case priceConsent = "price_consent"
        case renewalPrice = "renewal_price"
        case currency
        case originalID = "original_id"
        case originalTransactionIdentifier = "original_transaction_identifier"
        case latestID = "latest_id"
        case renewalInfo = "renewal_info"
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(status.groupID, forKey: .groupID)
        try container.encode(status.productID, forKey: .productID)
        try container.encode(status.renewalProductID, forKey: .renewalProductID)
        try container.encode(status.state.name, forKey: .state)
        try container.encode(status.expirationDate.timestamp, forKey: .expirationDate)
        try container.encodeIfPresent(status.gracePeriodExpirationDate?.timestamp, forKey: .gracePeriodExpirationDate)
        try container.encode(status.willAutoRenew, forKey: .willAutoRenew)
        try container.encodeIfPresent(status.expirationReason?.name, forKey: .expirationReason)
        try container.encode(status.priceConsent.name, forKey: .priceConsent)
        try container.encode("\(status.renewalPrice.amount)", forKey: .renewalPrice)
        try container.encode(status.renewalPrice.currency, forKey: .currency)
        try container.encode(status.originalID.text, forKey: .originalID)
        try container.encode(status.originalTransactionIdentifier, forKey: .originalTransactionIdentifier)
        try container.encode(status.latestID.text, forKey: .latestID)
        try container.encodeIfPresent(status.renewalInfo, forKey: .renewalInfo)
    }
}
