import FoundationEssentials
import TillEngine
import TillModel

extension TransactionPayload {
    /// What the facts say.
    init(_ facts: ReceiptFacts, environment: ReceiptEnvironment) {
        let transaction = facts.transaction
        let original = transaction.asOriginal
        self.init(
            appAccountToken: transaction.payment.applicationUsername.flatMap { UUID(uuidString: $0)?.text },
            appTransactionId: AppTransactionIdentifier.text(queue: facts.queue),
            bundleId: facts.application,
            currency: facts.paid?.currency,
            environment: environment.rawValue,
            originalPurchaseDate: original.createdAt.millisecondsSince1970,
            originalTransactionId: String(original.key),
            price: facts.paid?.milliunits,
            productId: transaction.payment.productID,
            purchaseDate: (transaction.term?.start ?? transaction.createdAt).millisecondsSince1970,
            quantity: transaction.payment.quantity,
            signedDate: facts.date.millisecondsSince1970,
            storefront: facts.storefront.countryCode,
            storefrontId: facts.storefront.identifier.isEmpty ? nil : facts.storefront.identifier,
            transactionId: String(transaction.key),
            transactionReason: transaction.term?.isRenewal == true ? "RENEWAL" : "PURCHASE",
            type: transaction.productType?.receiptName
        )
        if let term = transaction.term {
            note(term, of: transaction)
        }
        if let offer = transaction.offer {
            note(offer)
        }
        if let revocation = transaction.revocation {
            note(revocation)
        }
    }

    private mutating func note(_ term: TermRecord, of transaction: TransactionRecord) {
        subscriptionGroupIdentifier = term.groupID
        expiresDate = term.end.millisecondsSince1970
        isUpgraded = term.isUpgraded ? true : nil
        let isRestored = transaction.state == .restored
        webOrderLineItemId = isRestored ? originalTransactionId : transactionId
    }

    private mutating func note(_ offer: AppliedOffer) {
        offerIdentifier = offer.id
        offerType = offer.type.receiptNumber
        offerDiscountType = offer.paymentMode.receiptName
    }

    private mutating func note(_ revocation: Revocation) {
        revocationDate = revocation.date.millisecondsSince1970
        revocationReason = revocation.reason.rawValue
        guard revocation.quantity < quantity, quantity > 0 else {
            revocationType = "REFUND_FULL"
            return
        }
        revocationType = "REFUND_PRORATED"
        let share = Double(max(revocation.quantity, 0)) / Double(quantity)
        revocationPercentage = Int((100_000 * share).rounded())
    }
}

extension ReceiptFacts.Paid {
    /// Thousandths of the currency's major unit; nil when that is no number of 64 bits.
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
    fileprivate var receiptNumber: Int {
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
    fileprivate var receiptName: String {
        switch self {
        case .payAsYouGo: "PAY_AS_YOU_GO"
        case .payUpFront: "PAY_UP_FRONT"
        case .freeTrial: "FREE_TRIAL"
        }
    }
}
