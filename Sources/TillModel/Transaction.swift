public import FoundationEssentials

/// What the queue keeps for a payment, or for a restored purchase, until the application finishes it.
public struct Transaction: Hashable, Sendable, Identifiable {
    /// The payment's identity; a restored transaction has one of its own.
    public var id: UUID
    /// The change of the queue that made the transaction what it is here. Rises with every change.
    public var revision: UInt64
    public var state: TransactionState
    public var payment: Payment
    /// Present when purchased or restored
    /// (https://developer.apple.com/documentation/storekit/skpaymenttransaction/transactionidentifier).
    public var purchase: PurchaseIdentity?
    /// Present when failed.
    public var error: PaymentError?
    /// The purchase that was restored, or that made buying again free of charge.
    public var original: OriginalTransaction?
    /// What it waits for; present while purchasing or deferred.
    public var blocker: Blocker?
    /// When it fails at the latest, if it waits for a person.
    public var deadline: Date?
    /// The payment whose interrupted or unknown purchase this transaction continues.
    public var continues: UUID?
    /// Present once all or a part of it was refunded or revoked.
    public var revocation: Revocation?
    /// Present when an auto-renewable subscription was bought or renewed.
    public var subscription: SubscriptionTerm?
    /// Present when purchased or restored: the transaction signed by the store, a JWS in the App Store's format
    /// (https://developer.apple.com/documentation/appstoreserverapi/jwstransaction).
    public var receipt: String?
    /// The product's content, when purchased or restored, until it is finished.
    public var downloads: [Download]
    /// Whether the application has finished the transaction, so that it is out of the queue.
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

    /// Whether the application may finish a transaction in this state, which then changes no more.
    public var isFinal: Bool {
        switch self {
        case .purchased, .failed, .restored: true
        case .purchasing, .deferred: false
        }
    }
}

/// What a transaction has once it is purchased or restored, and not before.
public struct PurchaseIdentity: Hashable, Sendable {
    /// Decimal digits of a number that fits 63 bits. No other ledger issues it; within a ledger it rises with time.
    public var transactionIdentifier: String
    /// When the payment was added to the queue, or the purchase restored.
    public var transactionDate: Date

    public init(transactionIdentifier: String, transactionDate: Date) {
        self.transactionIdentifier = transactionIdentifier
        self.transactionDate = transactionDate
    }
}

/// The purchase that a transaction goes back to.
public struct OriginalTransaction: Hashable, Sendable, Identifiable {
    /// The identity of the payment that was charged.
    public var id: UUID
    public var purchase: PurchaseIdentity

    public init(id: UUID, purchase: PurchaseIdentity) {
        self.id = id
        self.purchase = purchase
    }
}
