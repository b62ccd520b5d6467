import FoundationEssentials
import TillEngine
import TillModel

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
        return object.closed()
    }
}

extension TransactionPayload {
    /// Creates the payload from the facts.
    init(_ facts: ReceiptFacts, environment: ReceiptEnvironment) {
        let transaction = facts.transaction
        let original = transaction.asOriginal
        let identifiers = facts.numbering.transactions
        self.init(
            appAccountToken: transaction.payment.applicationUsername.flatMap { UUID(uuidString: $0)?.text },
            appTransactionId: facts.numbering.applications.identifier(ofKey: facts.queue),
            bundleId: facts.application,
            currency: facts.paid?.currency,
            environment: environment.rawValue,
            originalPurchaseDate: original.purchasedAt.millisecondsSince1970,
            originalTransactionId: identifiers.identifier(ofKey: original.key),
            price: facts.paid?.milliunits,
            productId: transaction.payment.productID,
            purchaseDate: (transaction.term?.start ?? transaction.purchaseDate).millisecondsSince1970,
            quantity: transaction.payment.quantity,
            signedDate: facts.date.millisecondsSince1970,
            storefront: facts.storefront.countryCode,
            storefrontId: facts.storefront.identifier.isEmpty ? nil : facts.storefront.identifier,
            transactionId: identifiers.identifier(ofKey: transaction.key),
            transactionReason: transaction.term?.isRenewal == true ? "RENEWAL" : "PURCHASE",
            type: transaction.productType?.receiptName
        )
        if let period = facts.period {
            note(period, identifiers)
        }
        if let offer = transaction.offer {
            note(offer, lasting: transaction.sale?.offerPeriod)
        }
        if let revocation = transaction.revocation {
            note(revocation, facts.refund)
        }
    }

    private mutating func note(_ period: ReceiptFacts.Period, _ identifiers: IdentifierNumbering) {
        subscriptionGroupIdentifier = period.groupID
        expiresDate = period.end.millisecondsSince1970
        isUpgraded = period.isUpgraded ? true : nil
        webOrderLineItemId = identifiers.identifier(ofKey: period.lineItem)
    }

    private mutating func note(_ offer: AppliedOffer, lasting length: String?) {
        offerPeriod = length
        offerIdentifier = offer.id
        offerType = offer.type.receiptNumber
        offerDiscountType = offer.paymentMode.receiptName
    }

    /// The percentage refers to the revoked quantity, the type to the refunded money: the App Store has no type for a
    /// purchase that is revoked without a refund
    /// (https://developer.apple.com/documentation/appstoreserverapi/revocationtype).
    private mutating func note(_ revocation: Revocation, _ refund: ReceiptFacts.Refund?) {
        revocationDate = revocation.date.millisecondsSince1970
        revocationReason = revocation.reason.rawValue
        revocationType = refund?.receiptName
        let share = quantity > 0 ? Double(max(revocation.quantity, 0)) / Double(quantity) : 1
        revocationPercentage = Int((100_000 * min(share, 1)).rounded())
    }
}

extension ReceiptFacts.Paid {
    /// The price in thousandths of the currency's major unit; nil if it does not fit 64 bits.
    var milliunits: Int64? {
        let digits = Price.fractionDigits(ofCurrency: currency)
        let factor: Int64 =
            switch digits {
            case 0: 1000
            case 1: 100
            case 2: 10
            default: 1
            }
        let (product, isTooLarge) = amount.multipliedReportingOverflow(by: factor)
        return isTooLarge ? nil : product
    }
}

extension ReceiptFacts.Refund {
    /// https://developer.apple.com/documentation/appstoreserverapi/revocationtype
    fileprivate var receiptName: String {
        switch self {
        case .whole: "REFUND_FULL"
        case .part: "REFUND_PRORATED"
        }
    }
}

extension ProductType {
    /// https://developer.apple.com/documentation/appstoreserverapi/type
    fileprivate var receiptName: String {
        switch self {
        case .consumable: "Consumable"
        case .nonConsumable: "Non-Consumable"
        case .nonRenewingSubscription: "Non-Renewing Subscription"
        case .autoRenewableSubscription: "Auto-Renewable Subscription"
        }
    }
}

extension SubscriptionOffer.OfferType {
    /// https://developer.apple.com/documentation/appstoreserverapi/offertype
    var receiptNumber: Int {
        switch self {
        case .introductory: 1
        case .promotional: 2
        case .code: 3
        case .winBack: 4
        }
    }
}

extension SubscriptionOffer.PaymentMode {
    /// https://developer.apple.com/documentation/appstoreserverapi/offerdiscounttype
    var receiptName: String {
        switch self {
        case .payAsYouGo: "PAY_AS_YOU_GO"
        case .payUpFront: "PAY_UP_FRONT"
        case .freeTrial: "FREE_TRIAL"
        }
    }
}
