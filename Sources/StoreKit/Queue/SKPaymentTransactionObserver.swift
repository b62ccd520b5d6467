public import Foundation

/// Follows a queue (https://developer.apple.com/documentation/storekit/skpaymenttransactionobserver).
///
/// Every method but the first is optional. Callbacks come one at a time on ``SKPaymentQueue/deliveryQueue``; any method
/// of the queue may be called from inside one.
public protocol SKPaymentTransactionObserver: NSObjectProtocol {
    /// Transactions were added to the queue or changed. What is unfinished comes again at every start.
    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction])

    /// Transactions were finished and are out of the queue.
    func paymentQueue(_ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction])

    /// A restore failed, perhaps after a part of it was delivered.
    func paymentQueue(_ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error)

    /// All that could be restored has been delivered.
    func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue)

    /// Downloads changed their state or made progress; these are the objects of their transactions.
    func paymentQueue(_ queue: SKPaymentQueue, updatedDownloads downloads: [SKDownload])

    /// The store asks for a payment, a promoted purchase; true adds it. Where no observer implements it, nothing happens.
    func paymentQueue(
        _ queue: SKPaymentQueue,
        shouldAddStorePayment payment: SKPayment,
        for product: SKProduct
    ) -> Bool

    /// The store sells elsewhere, or in another currency.
    func paymentQueueDidChangeStorefront(_ queue: SKPaymentQueue)

    /// Purchases were refunded or revoked; what they gave is to be taken back.
    func paymentQueue(
        _ queue: SKPaymentQueue,
        didRevokeEntitlementsForProductIdentifiers productIdentifiers: [String]
    )
}

extension SKPaymentTransactionObserver {
    public func paymentQueue(_ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction]) {}

    public func paymentQueue(_ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error) {}

    public func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) {}

    public func paymentQueue(_ queue: SKPaymentQueue, updatedDownloads downloads: [SKDownload]) {}

    /// Says that it is not implemented, which is not the same as false.
    public func paymentQueue(
        _ queue: SKPaymentQueue,
        shouldAddStorePayment payment: SKPayment,
        for product: SKProduct
    ) -> Bool {
        Implementation.isMissing()
        return false
    }

    public func paymentQueueDidChangeStorefront(_ queue: SKPaymentQueue) {}

    public func paymentQueue(
        _ queue: SKPaymentQueue,
        didRevokeEntitlementsForProductIdentifiers productIdentifiers: [String]
    ) {}
}
