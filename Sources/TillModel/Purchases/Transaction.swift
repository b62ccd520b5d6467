public import FoundationEssentials

/// A payment or a restored purchase in the queue, kept until the application finishes it.
public struct Transaction: Hashable, Sendable, Identifiable {
    /// The payment's id; a restored transaction has its own id.
    public var id: UUID
    /// The queue's revision at the transaction's last change; it increases with every change.
    public var revision: UInt64
    public var state: TransactionState
    public var payment: Payment
    /// Present if purchased or restored
    /// (https://developer.apple.com/documentation/storekit/skpaymenttransaction/transactionidentifier).
    public var purchase: PurchaseIdentity?
    /// Present if failed.
    public var error: PaymentError?
    /// The original purchase of a restored or free repeated purchase.
    public var original: OriginalTransaction?
    /// The reason it is waiting; present while purchasing or deferred.
    public var blocker: Blocker?
    /// The latest time at which it fails, if it is waiting for a person.
    public var deadline: Date?
    /// The payment whose interrupted or unknown purchase this transaction completes.
    public var continues: UUID?
    /// Present if it was fully or partly refunded or revoked.
    public var revocation: Revocation?
    /// Present if an auto-renewable subscription was bought or renewed.
    public var subscription: SubscriptionTerm?
    /// Present if purchased or restored: the transaction signed by the store, a JWS in the App Store's format
    /// (https://developer.apple.com/documentation/appstoreserverapi/jwstransaction).
    public var receipt: String?
    /// The downloads of the product's content, if purchased or restored and not finished.
    public var downloads: [Download]
    /// Whether the application has finished the transaction, so that it has left the queue.
    public var isFinished: Bool

    public init(
        id: UUID,
        revision: UInt64,
        state: TransactionState,
        payment: Payment,
        purchase: PurchaseIdentity? = nil,
        error: PaymentError? = nil,
        original: OriginalTransaction? = nil,
        blocker: Blocker? = nil,
        deadline: Date? = nil,
        continues: UUID? = nil,
        revocation: Revocation? = nil,
        subscription: SubscriptionTerm? = nil,
        receipt: String? = nil,
        downloads: [Download] = [],
        isFinished: Bool = false
    ) {
        self.id = id
        self.revision = revision
        self.state = state
        self.payment = payment
        self.purchase = purchase
        self.error = error
        self.original = original
        self.blocker = blocker
        self.deadline = deadline
        self.continues = continues
        self.revocation = revocation
        self.subscription = subscription
        self.receipt = receipt
        self.downloads = downloads
        self.isFinished = isFinished
    }
}

/// `SKPaymentTransactionState`, by its raw values.
public enum TransactionState: Int, Hashable, Sendable, CaseIterable {
    case purchasing = 0
    case purchased = 1
    case failed = 2
    case restored = 3
    case deferred = 4

    /// Whether this state is final, so that the application may finish the transaction.
    public var isFinal: Bool {
        switch self {
        case .purchased, .failed, .restored: true
        case .purchasing, .deferred: false
        }
    }
}

/// The identifier and date of a purchased or restored transaction.
public struct PurchaseIdentity: Hashable, Sendable {
    /// A 63-bit number in decimal digits. It is unique across ledgers and increases within a ledger.
    public var transactionIdentifier: String
    /// The time when the payment was added to the queue or the purchase was restored.
    public var transactionDate: Date

    public init(transactionIdentifier: String, transactionDate: Date) {
        self.transactionIdentifier = transactionIdentifier
        self.transactionDate = transactionDate
    }
}

/// The original purchase of a transaction.
public struct OriginalTransaction: Hashable, Sendable, Identifiable {
    /// The id of the charged payment.
    public var id: UUID
    public var purchase: PurchaseIdentity

    public init(id: UUID, purchase: PurchaseIdentity) {
        self.id = id
        self.purchase = purchase
    }
}

/// The reason a purchasing or deferred transaction is waiting.
public enum Blocker: Int, Hashable, Sendable, CaseIterable {
    /// The provider's answer to a charge.
    case provider = 1
    /// Another payment for the same product, which can be bought only once.
    case otherPayment = 2
    /// The user's consent, which an authorisation agent asks for.
    case authorization = 3
    /// The approval of the buyer's approver: Ask to Buy
    /// (https://developer.apple.com/documentation/storekit/skpaymenttransactionstate/deferred).
    case approval = 4
    /// The resolution of an interruption outside the application, for example changed terms.
    case resolution = 5
    /// The payer's action outside the application, for example on the provider's page.
    case payerAction = 6
}

/// The full or partial refund or revocation of a purchase.
public struct Revocation: Hashable, Sendable {
    /// The reason, by the App Store's numbers
    /// (https://developer.apple.com/documentation/appstoreserverapi/revocationreason).
    public enum Reason: Int, Hashable, Sendable, CaseIterable {
        case other = 0
        /// An actual or perceived issue of the application.
        case applicationIssue = 1
    }

    /// The date of the latest revocation.
    public var date: Date
    public var reason: Reason
    /// The total revoked quantity; at least 1.
    public var quantity: Int

    public init(date: Date, reason: Reason, quantity: Int) {
        self.date = date
        self.reason = reason
        self.quantity = quantity
    }
}

/// The environment in which a receipt was signed, by the names that Apple's libraries accept
/// (https://developer.apple.com/documentation/appstoreserverapi/environment).
public enum ReceiptEnvironment: String, Hashable, Sendable, CaseIterable {
    case production = "Production"
    case sandbox = "Sandbox"
    case xcode = "Xcode"
    case localTesting = "LocalTesting"
}
