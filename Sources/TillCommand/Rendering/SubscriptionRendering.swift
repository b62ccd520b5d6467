import FoundationEssentials
import TillModel
import TillOutput

/// The status of a subscription.
struct SubscriptionStatusLine: TableRow {
    static let headings = ["PRODUCT", "STATE", "EXPIRES", "RENEWS", "PRICE", "ID"]

    let status: SubscriptionStatus

    var columns: [String] {
        [status.productID, state, expires, renews, status.renewalPrice.plain, status.latestID.text]
    }

    var state: String {
        status.expirationReason.map { "\(status.state.title) (\($0.title))" } ?? status.state.title
    }

    /// The end of the subscription unless it is renewed, or its past end.
    var expires: String {
        (status.gracePeriodExpirationDate ?? status.expirationDate).timestamp
    }

    /// Whether and as which product the subscription renews, and the account's answer to a price increase.
    var renews: String {
        guard status.willAutoRenew else {
            return "no"
        }
        let product = status.renewalProductID == status.productID ? "yes" : "as \(status.renewalProductID)"
        return status.priceConsent == .none ? product : "\(product), price increase \(status.priceConsent.title)"
    }

    var json: JSONObject {
        [
            "group_id": status.groupID,
            "product_id": status.productID,
            "renewal_product_id": status.renewalProductID,
            "state": status.state.name,
            "expiration_date": status.expirationDate,
            "grace_period_expiration_date": status.gracePeriodExpirationDate,
            "will_auto_renew": status.willAutoRenew,
            "expiration_reason": status.expirationReason?.name,
            "price_consent": status.priceConsent.name,
            "renewal_price": status.renewalPrice.exactAmount,
            "currency": status.renewalPrice.currency,
            "original_id": status.originalID,
            "original_transaction_identifier": status.originalTransactionIdentifier,
            "latest_id": status.latestID,
            "renewal_info": status.renewalInfo,
        ]
    }
}

/// An entitlement: a product that the account owns or subscribes to.
struct EntitlementLine: TableRow {
    static let headings = ["PRODUCT", "TYPE", "STATE", "EXPIRES", "RENEWS", "PRICE", "ID"]

    let entitlement: Entitlement

    private var status: SubscriptionStatusLine? {
        entitlement.subscription.map(SubscriptionStatusLine.init)
    }

    var columns: [String] {
        [
            entitlement.productID,
            entitlement.productType.title,
            status?.state ?? "owned",
            entitlement.expirationDate?.timestamp ?? "-",
            status?.renews ?? "-",
            status?.status.renewalPrice.plain ?? "-",
            entitlement.transactionID.text,
        ]
    }

    var json: JSONObject {
        [
            "product_id": entitlement.productID,
            "type": entitlement.productType.name,
            "transaction_id": entitlement.transactionID,
            "transaction_identifier": entitlement.transactionIdentifier,
            "purchase_date": entitlement.purchaseDate,
            "expiration_date": entitlement.expirationDate,
            "subscription": status?.json,
        ]
    }
}
