/// A transaction, as `till` prints it.
struct TransactionLine: Decodable, Hashable {
    struct Failure: Decodable, Hashable {
        var name: String
        var reason: String
        var moneyMoved: String
        var retry: String
    }

    struct Original: Decodable, Hashable {
        var id: String
        var transactionIdentifier: String
        var transactionDate: String
    }

    struct Offer: Decodable, Hashable {
        var type: String
        var paymentMode: String
    }

    struct Term: Decodable, Hashable {
        var startDate: String
        var expirationDate: String
        var isRenewal: Bool
        var offer: Offer?
    }

    struct Revocation: Decodable, Hashable {
        var quantity: Int
        var reason: String
    }

    var id: String
    var state: String
    var productID: String
    var quantity: Int
    var isFinished: Bool
    var applicationUsername: String?
    var transactionIdentifier: String?
    var transactionDate: String?
    var original: Original?
    var error: Failure?
    var blocker: String?
    var continues: String?
    var revocation: Revocation?
    var subscription: Term?
}

/// A transaction of any queue, as `till find` prints it.
struct FoundLine: Decodable, Hashable {
    var transaction: TransactionLine
    var needsReview: Bool
}

/// A callback, as `till watch` prints it.
struct CallbackLine: Decodable, Hashable {
    struct Payment: Decodable, Hashable {
        var id: String
        var productID: String
    }

    var callback: String
    var transaction: TransactionLine?
    var payment: Payment?
    var restoredCount: Int?

    static let updated = "paymentQueue(_:updatedTransactions:)"
    static let revoked = "paymentQueue(_:didRevokeEntitlementsForProductIdentifiers:)"
    static let restoreFinished = "paymentQueueRestoreCompletedTransactionsFinished(_:)"
    static let initialDeliveryEnded = "paymentQueueInitialDeliveryEnded(_:)"
}

/// A subscription, as `till subscriptions` prints it.
struct SubscriptionLine: Decodable, Hashable {
    var productID: String
    var state: String
    var expirationDate: String
    var gracePeriodExpirationDate: String?
    var willAutoRenew: Bool
    var expirationReason: String?
    var priceConsent: String
    var renewalPrice: String
    var currency: String
    var latestID: String
}

/// An entitlement, as `till entitlements` prints it.
struct EntitlementLine: Decodable, Hashable {
    var productID: String
    var type: String
    var transactionID: String
    var expirationDate: String?
}

/// A question, as `till requests` prints it.
struct RequestLine: Decodable, Hashable {
    var id: String
    var kind: String
    var productID: String
    var price: String
    var currency: String
}

/// The answer of an agent.
struct AnswerLine: Decodable, Hashable {
    var id: String
    var outcome: String
}

/// A refund, as `till refund` prints it.
struct RefundedLine: Decodable, Hashable {
    struct Refund: Decodable, Hashable {
        var amount: Int
        var currency: String
        var quantity: Int
        var state: String
    }

    var refund: Refund
    var transaction: TransactionLine
}

/// A product, as `till products` prints it.
struct ProductLine: Decodable, Hashable {
    var id: String
    var type: String
    var price: String
    var currency: String
}

/// The store's clock.
struct ClockLine: Decodable, Hashable {
    var now: String
}

/// A difference between the ledger and the provider, as `till reconcile` prints it.
struct ReconciliationLine: Decodable, Hashable {
    var paymentID: String
    var finding: String
}

/// A line of the simulated provider's record: a charge, or a refund of one.
struct RecordLine: Decodable, Hashable {
    private var paymentID: String
    var refundID: String?
    /// The amount in minor units.
    var amount: Int
    var currency: String
    var productID: String?

    /// The payment's identity.
    var id: String {
        paymentID.lowercased()
    }
}

/// The known facts of a transaction, as `till why` prints them.
struct ExplanationLine: Decodable, Hashable {
    struct Charge: Decodable, Hashable {
        var state: String
        var attempts: Int
    }

    var sentence: String
    var actions: [String]
    var charges: [Charge]
}

/// A payment that the store offers, as `till promote` prints it.
struct PromotedLine: Decodable, Hashable {
    var payment: CallbackLine.Payment
}

/// A download, as `till downloads` prints it.
struct DownloadLine: Decodable, Hashable {
    var id: String
    var productID: String
    var state: String
    var receivedBytes: Int
    var length: Int
    var path: String?
    var reason: String?
}
