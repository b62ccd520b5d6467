import FoundationEssentials
import TillModel

/// Something that the account owns, or is subscribed to.
struct EntitlementLine: TableRow {
    static let headings = ["PRODUCT", "TYPE", "STATE", "EXPIRES", "RENEWS", "PRICE", "ID"]

    let entitlement: Entitlement

    var columns: [String] {
        let status = entitlement.subscription.map(SubscriptionStatusLine.init)
        return [
            entitlement.productID,
            entitlement.productType.title,
            status?.state ?? "owned",
            entitlement.expirationDate?.timestamp ?? "-",
            status?.renews ?? "-",
            status?.status.renewalPrice.plain ?? "-",
            entitlement.transactionID.text,
        ]
    }

    private enum Key: String, CodingKey {
        case type, subscription
        case productID = "product_id"
        case transactionID = "transaction_id"
        case transactionIdentifier = "transaction_identifier"
        case purchaseDate = "purchase_date"
        case expirationDate = "expiration_date"
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(entitlement.productID, forKey: .productID)
        try container.encode(entitlement.productType.name, forKey: .type)
        try container.encode(entitlement.transactionID.text, forKey: .transactionID)
        try container.encode(entitlement.transactionIdentifier, forKey: .transactionIdentifier)
        try container.encode(entitlement.purchaseDate.timestamp, forKey: .purchaseDate)
        try container.encodeIfPresent(entitlement.expirationDate?.timestamp, forKey: .expirationDate)
        try container.encodeIfPresent(
            entitlement.subscription.map(SubscriptionStatusLine.init),
            forKey: .subscription
        )
    }
}
