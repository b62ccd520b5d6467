import Foundation

/// The values of a transaction object.
struct TransactionValues {
    /// The payment's id at the daemon; nil for an object that is not in any queue.
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
