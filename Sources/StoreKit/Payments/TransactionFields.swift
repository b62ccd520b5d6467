import Foundation

/// What a transaction shows.
struct TransactionFields {
    /// The payment's at the daemon; nil for an object that is in no queue.
    var identity: UUID?
    var state = SKPaymentTransactionState.purchasing
    var payment = SKPayment()
    var error: (any Error)?
    var original: SKPaymentTransaction?
    var transactionDate: Date?
    var transactionIdentifier: String?
    var receipt: String?
    var downloads: [SKDownload] = []
}
