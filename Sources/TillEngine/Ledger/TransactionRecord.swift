package import FoundationEssentials
package import TillModel

/// A transaction as the ledger keeps it, permanently. Its `revision` is its place in the queue's change log: a newer
/// change of the same transaction replaces the older one.
package struct TransactionRecord: Hashable, Sendable {
    /// The ledger's key, rising with time; 0 until inserted. The ledger's numbering makes the `transactionIdentifier` of it.
    package var key: Int64
    package var queue: Int64
    /// The payment's identity; of a restored transaction, its own.
    package var id: UUID
    package var payment: Payment
    /// The product's type when it was bought. Nil when the store did not have the product.
    package var productType: ProductType?
    package var state: TransactionState
    package var revision: UInt64
    /// When it was added to the queue.
    package var createdAt: Date
    /// When it was purchased or restored. Nil before, and in transactions of an older Till, whose receipts have
    /// ``createdAt``.
    package var purchasedAt: Date?
    /// When the application finished it; nil while it is in the queue.
    package var finishedAt: Date?
    package var error: PaymentError?
    /// The purchase that was restored, or that made this one free of charge.
    package var original: OriginalRecord?
    /// The key of the purchase that this transaction repeats: the one that was restored, the purchase of the product that
    /// was owned already, or the one that paid for the period during which this was bought without paying for a period.
    package var repeats: Int64?
    /// Whether this transaction entitles the account to its product, so that it can be restored and is not charged
    /// again.
    package var isEntitlement: Bool
    /// The blocker that it waits for; nil in a final state.
    package var blocker: Blocker?
    /// When the wait for a person ends, and the transaction fails.
    package var deadline: Date?
    /// The payment that this transaction continues.
    package var continues: UUID?
    /// Whether it failed because of an interruption that is not resolved.
    package var isInterrupted: Bool
    /// The offer that set its price.
    package var offer: AppliedOffer?
    /// Nil before it has a price, and where an older Till did not store it.
    package var sale: SaleRecord?
    /// The subscription's period that it paid for.
    package var term: TermRecord?
    package var revocation: Revocation?
    /// Whether no observer has acknowledged the revocation yet.
    package var isRevocationPending: Bool
    /// The provider's names of the disputes about its payment that are not decided.
    package var openDisputes: [String]
    /// Nil until purchased or restored, and where it could not be signed.
    package var receipt: SignedReceipt?
    /// Whether it has downloads, which have rows of their own.
    package var hasDownloads: Bool
    /// Read with the transaction while it is not finished; written separately.
    package var downloads: [DownloadRecord]

    package init(
        key: Int64 = 0,
        queue: Int64,
        id: UUID,
        payment: Payment,
        productType: ProductType? = nil,
        state: TransactionState,
        revision: UInt64,
        createdAt: Date,
        purchasedAt: Date? = nil,
        finishedAt: Date? = nil,
        error: PaymentError? = nil,
        original: OriginalRecord? = nil,
        repeats: Int64? = nil,
        isEntitlement: Bool = false,
        blocker: Blocker? = nil,
        deadline: Date? = nil,
        continues: UUID? = nil,
        isInterrupted: Bool = false,
        offer: AppliedOffer? = nil,
        sale: SaleRecord? = nil,
        term: TermRecord? = nil,
        revocation: Revocation? = nil,
        isRevocationPending: Bool = false,
        openDisputes: [String] = [],
        receipt: SignedReceipt? = nil,
        hasDownloads: Bool = false,
        downloads: [DownloadRecord] = []
    ) {
        self.key = key
        self.queue = queue
        self.id = id
        self.payment = payment
        self.productType = productType
        self.state = state
        self.revision = revision
        self.createdAt = createdAt
        self.purchasedAt = purchasedAt
        self.finishedAt = finishedAt
        self.error = error
        self.original = original
        self.repeats = repeats
        self.isEntitlement = isEntitlement
        self.blocker = blocker
        self.deadline = deadline
        self.continues = continues
        self.isInterrupted = isInterrupted
        self.offer = offer
        self.sale = sale
        self.term = term
        self.revocation = revocation
        self.isRevocationPending = isRevocationPending
        self.openDisputes = openDisputes
        self.receipt = receipt
        self.hasDownloads = hasDownloads
        self.downloads = downloads
    }
}

/// The period of a subscription that a transaction paid for.
package struct TermRecord: Hashable, Sendable {
    package var subscription: Int64
    package var groupID: String
    package var start: Date
    package var end: Date
    package var isRenewal: Bool
    package var isUpgraded: Bool

    package init(
        subscription: Int64,
        groupID: String,
        start: Date,
        end: Date,
        isRenewal: Bool = false,
        isUpgraded: Bool = false
    ) {
        self.subscription = subscription
        self.groupID = groupID
        self.start = start
        self.end = end
        self.isRenewal = isRenewal
        self.isUpgraded = isUpgraded
    }
}

/// The facts about its original that a transaction stores.
package struct OriginalRecord: Hashable, Sendable {
    package var key: Int64
    package var id: UUID
    package var purchasedAt: Date

    package init(key: Int64, id: UUID, purchasedAt: Date) {
        self.key = key
        self.id = id
        self.purchasedAt = purchasedAt
    }
}

extension TransactionRecord {
    /// The transaction as applications see it.
    package func transaction(identifiedBy numbering: LedgerNumbering) -> Transaction {
        Transaction(
            id: id,
            revision: revision,
            state: state,
            payment: payment,
            purchase: hasPurchaseIdentity ? Self.purchase(key: key, date: purchaseDate, numbering) : nil,
            error: error,
            original: original.map {
                OriginalTransaction(id: $0.id, purchase: Self.purchase(key: $0.key, date: $0.purchasedAt, numbering))
            },
            blocker: blocker,
            deadline: deadline,
            continues: continues,
            revocation: revocation,
            subscription: term.map { term in
                SubscriptionTerm(
                    groupID: term.groupID,
                    startDate: term.start,
                    expirationDate: term.end,
                    isRenewal: term.isRenewal,
                    offer: offer,
                    isUpgraded: term.isUpgraded
                )
            },
            receipt: receipt?.compact,
            downloads: finishedAt == nil ? downloads.map(\.download) : [],
            isFinished: finishedAt != nil
        )
    }

    /// The transaction's last change as observers see it.
    package func event(identifiedBy numbering: LedgerNumbering) -> QueueEvent {
        let transaction = transaction(identifiedBy: numbering)
        if let revocation, finishedAt.map({ $0 <= revocation.date }) ?? true {
            return .revoked(transaction)
        }
        return finishedAt == nil ? .updated(transaction) : .removed(transaction)
    }

    /// This transaction as the original of another.
    package var asOriginal: OriginalRecord {
        original ?? OriginalRecord(key: key, id: id, purchasedAt: purchaseDate)
    }

    /// When it was purchased or restored: for a purchase that was approved, when that led to the purchase.
    package var purchaseDate: Date {
        purchasedAt ?? createdAt
    }

    private var hasPurchaseIdentity: Bool {
        state == .purchased || state == .restored
    }

    private static func purchase(key: Int64, date: Date, _ numbering: LedgerNumbering) -> PurchaseIdentity {
        PurchaseIdentity(
            transactionIdentifier: numbering.transactions.identifier(ofKey: key),
            transactionDate: date
        )
    }
}

/// What a transaction costs, and where it was priced. Its receipts say this whenever they are signed, whatever the store
/// sells by then.
package struct SaleRecord: Hashable, Sendable {
    /// Minor units; 0 for a purchase that costs nothing.
    package var amount: Int64
    /// ISO 4217.
    package var currency: String
    /// The storefront whose price it is; nil in transactions of an older Till, which did not keep it.
    package var storefront: Storefront?
    /// How long the offer lasts that sets the price, as an ISO 8601 duration; nil without an offer.
    package var offerPeriod: String?

    package init(amount: Int64, currency: String, storefront: Storefront? = nil, offerPeriod: String? = nil) {
        self.amount = amount
        self.currency = currency
        self.storefront = storefront
        self.offerPeriod = offerPeriod
    }
}

extension TransactionRecord {
    /// The record as databases give it back, with dates in milliseconds.
    package var inMilliseconds: TransactionRecord {
        var record = self
        record.roundToMilliseconds()
        return record
    }

    mutating func roundToMilliseconds() {
        payment.discount?.timestamp.roundToMilliseconds()
        createdAt.roundToMilliseconds()
        purchasedAt?.roundToMilliseconds()
        finishedAt?.roundToMilliseconds()
        deadline?.roundToMilliseconds()
        if let revocation {
            self.revocation = Revocation(
                date: revocation.date.roundedToMilliseconds,
                reason: revocation.reason,
                quantity: revocation.quantity
            )
        }
        term?.start.roundToMilliseconds()
        term?.end.roundToMilliseconds()
    }
}

extension Payment {
    /// The payment as databases give it back, with its date in milliseconds.
    package var inMilliseconds: Payment {
        var payment = self
        payment.discount?.timestamp.roundToMilliseconds()
        return payment
    }
}

extension Date {
    fileprivate mutating func roundToMilliseconds() {
        self = roundedToMilliseconds
    }
}
