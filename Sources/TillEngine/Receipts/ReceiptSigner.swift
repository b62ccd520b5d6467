package import FoundationEssentials
package import TillModel

/// Signs transactions in the App Store's format. It is called within commits, so it neither waits nor needs a disk.
package protocol ReceiptSigner: Sendable {
    /// The transaction, purchased or restored, as the store vouches for it at `facts.date`.
    func sign(_ facts: ReceiptFacts) throws -> SignedReceipt
    /// Many transactions, each as alone; on several processors if that is quicker.
    func sign(_ facts: [ReceiptFacts]) -> [Result<SignedReceipt, any Error>]
    /// The application's receipt: a document of all its purchases by an account.
    func sign(_ facts: ApplicationReceiptFacts) throws -> SignedReceipt
    /// How a subscription will renew, as the store vouches for it at `facts.date`.
    func sign(_ facts: RenewalFacts) throws -> SignedReceipt
    /// The certificate that all chains end in, DER.
    var rootCertificate: [UInt8] { get }
}

extension ReceiptSigner {
    package func sign(_ facts: [ReceiptFacts]) -> [Result<SignedReceipt, any Error>] {
        facts.map { facts in Result { try sign(facts) } }
    }
}

/// The facts in a transaction's receipt.
package struct ReceiptFacts: Hashable, Sendable {
    package var application: String
    /// The queue's key: of one account and application.
    package var queue: Int64
    /// How the keys are published.
    package var numbering: LedgerNumbering
    /// The stored transaction, which has its key.
    package var transaction: TransactionRecord
    /// The subscription's period that it names: every purchase of an auto-renewable subscription names one.
    package var period: Period?
    /// How much of the price was given back; nil while nothing was.
    package var refund: Refund?
    /// The purchase's; where that is unknown, the one at `date`.
    package var storefront: Storefront
    /// When it is signed.
    package var date: Date

    /// The amount paid; nil when it is unknown.
    package var paid: Paid? {
        transaction.sale.map { Paid(amount: $0.amount, currency: $0.currency) }
    }

    package struct Period: Hashable, Sendable {
        package var groupID: String
        package var end: Date
        /// Whether another product replaced it.
        package var isUpgraded: Bool
        /// The key of the transaction that paid for it.
        package var lineItem: Int64

        package init(groupID: String, end: Date, isUpgraded: Bool = false, lineItem: Int64) {
            self.groupID = groupID
            self.end = end
            self.isUpgraded = isUpgraded
            self.lineItem = lineItem
        }
    }

    package enum Refund: Hashable, Sendable {
        case whole, part
    }

    /// Minor units of an ISO 4217 currency.
    package struct Paid: Hashable, Sendable {
        package var amount: Int64
        package var currency: String

        package init(amount: Int64, currency: String) {
            self.amount = amount
            self.currency = currency
        }
    }

    package init(
        application: String,
        queue: Int64,
        numbering: LedgerNumbering,
        transaction: TransactionRecord,
        period: Period? = nil,
        refund: Refund? = nil,
        storefront: Storefront,
        date: Date
    ) {
        self.application = application
        self.queue = queue
        self.numbering = numbering
        self.transaction = transaction
        self.period = period
        self.refund = refund
        self.storefront = storefront
        self.date = date
    }
}

/// The facts in an application's receipt.
package struct ApplicationReceiptFacts: Hashable, Sendable {
    package var application: String
    /// The identity of the application's use by the account; nil when the account never used it.
    package var appTransactionID: String?
    /// When the account first used the queue; nil when it never did.
    package var originalPurchaseDate: Date?
    /// The receipts of its transactions, the oldest first.
    package var receipts: [SignedReceipt]
    /// When it is signed.
    package var date: Date

    package init(
        application: String,
        appTransactionID: String?,
        originalPurchaseDate: Date?,
        receipts: [SignedReceipt],
        date: Date
    ) {
        self.application = application
        self.appTransactionID = appTransactionID
        self.originalPurchaseDate = originalPurchaseDate
        self.receipts = receipts
        self.date = date
    }
}

/// The facts in a subscription's renewal information.
package struct RenewalFacts: Hashable, Sendable {
    /// With the state as of ``date``.
    package var subscription: SubscriptionRecord
    /// How keys are published.
    package var numbering: LedgerNumbering
    /// The username in the payment for the last period.
    package var applicationUsername: String?
    /// The price of the next renewal; nil when none is to come, or when the store does not have its product.
    package var price: ReceiptFacts.Paid?
    /// The offer that sets that price.
    package var offer: AppliedOffer?
    /// How long the offer lasts, as an ISO 8601 duration; nil when the store no longer has the offer.
    package var offerPeriod: String?
    /// When it is signed.
    package var date: Date

    package init(
        subscription: SubscriptionRecord,
        numbering: LedgerNumbering,
        applicationUsername: String? = nil,
        price: ReceiptFacts.Paid? = nil,
        offer: AppliedOffer? = nil,
        offerPeriod: String? = nil,
        date: Date
    ) {
        self.subscription = subscription
        self.numbering = numbering
        self.applicationUsername = applicationUsername
        self.price = price
        self.offer = offer
        self.offerPeriod = offerPeriod
        self.date = date
    }
}

/// A JWS in its compact form (RFC 7515), in two parts: many receipts share a header, which holds the certificates.
package struct SignedReceipt: Hashable, Sendable {
    /// BASE64URL(header).
    package var header: String
    /// BASE64URL(payload) || '.' || BASE64URL(signature).
    package var body: String

    package init(header: String, body: String) {
        self.header = header
        self.body = body
    }

    package var compact: String {
        "\(header).\(body)"
    }

    /// The bytes of ``compact``.
    var compactCount: Int {
        header.utf8.count + 1 + body.utf8.count
    }
}
