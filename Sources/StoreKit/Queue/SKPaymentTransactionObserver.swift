public import Foundation
import NIOConcurrencyHelpers

/// Follows a queue (https://developer.apple.com/documentation/storekit/skpaymenttransactionobserver).
///
/// Only the first method is required. Callbacks run one at a time on ``SKPaymentQueue/deliveryQueue``; they may call
/// any method of the queue.
public protocol SKPaymentTransactionObserver: NSObjectProtocol {
    /// Transactions were added to the queue or changed. Unfinished transactions are delivered again at every start.
    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction])

    /// Finished transactions were removed from the queue.
    func paymentQueue(_ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction])

    /// A restore failed, possibly after some of its transactions were delivered.
    func paymentQueue(_ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error)

    /// All restorable transactions have been delivered.
    func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue)

    /// Downloads changed their state or their progress. The objects are the same as in their transactions.
    func paymentQueue(_ queue: SKPaymentQueue, updatedDownloads downloads: [SKDownload])

    /// The store requests a payment for a promoted purchase; return true to add it. If no observer implements this
    /// method, nothing happens.
    func paymentQueue(
        _ queue: SKPaymentQueue,
        shouldAddStorePayment payment: SKPayment,
        for product: SKProduct
    ) -> Bool

    /// The store's storefront or currency has changed.
    func paymentQueueDidChangeStorefront(_ queue: SKPaymentQueue)

    /// Purchases were refunded or revoked; revoke what they granted.
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

    /// Marks the method as not implemented, which differs from returning false.
    public func paymentQueue(
        _ queue: SKPaymentQueue,
        shouldAddStorePayment payment: SKPayment,
        for product: SKProduct
    ) -> Bool {
        OptionalMethod.isMissing()
        return false
    }

    public func paymentQueueDidChangeStorefront(_ queue: SKPaymentQueue) {}

    public func paymentQueue(
        _ queue: SKPaymentQueue,
        didRevokeEntitlementsForProductIdentifiers productIdentifiers: [String]
    ) {}
}

/// Distinguishes an optional method's default from an implementation that returns the same value.
enum OptionalMethod {
    @TaskLocal private static var probe: NIOLockedValueBox<Bool>?

    /// Called by the default implementation of an optional method to mark it as not implemented.
    static func isMissing() {
        probe?.withLockedValue { $0 = true }
    }

    /// Calls an optional method and returns its result; nil if it is not implemented.
    static func answer<Value>(_ call: () -> Value) -> Value? {
        let missing = NIOLockedValueBox(false)
        let value = $probe.withValue(missing) { call() }
        return missing.withLockedValue { $0 } ? nil : value
    }
}
