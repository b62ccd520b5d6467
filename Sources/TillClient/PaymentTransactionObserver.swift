public import TillModel

/// Follows a queue by callbacks, as `SKPaymentTransactionObserver` does, from within
/// ``PaymentQueue/deliver(to:)``.
///
/// Callbacks come one at a time, in order, and with no lock held: any method of the queue may be called from inside one.
/// The next callback waits until the one before has returned.
public protocol PaymentTransactionObserver: AnyObject, Sendable {
    /// Transactions were added to the queue or changed. Unfinished ones are delivered again at every attach.
    func paymentQueue(_ queue: PaymentQueue, updatedTransactions transactions: [Transaction]) async
    /// Transactions were finished and are out of the queue.
    func paymentQueue(_ queue: PaymentQueue, removedTransactions transactions: [Transaction]) async
    /// All that could be restored has been delivered.
    func paymentQueueRestoreCompletedTransactionsFinished(_ queue: PaymentQueue, count: Int) async
    /// A restore failed, perhaps after some of it was delivered.
    func paymentQueue(_ queue: PaymentQueue, restoreCompletedTransactionsFailedWithError error: PaymentError) async
    /// Everything that was unfinished has been delivered; what follows is new.
    func paymentQueueInitialDeliveryEnded(_ queue: PaymentQueue) async
    /// The daemon is reached, or lost.
    func paymentQueue(_ queue: PaymentQueue, didChange connection: ConnectionState) async
}

extension PaymentTransactionObserver {
    public func paymentQueue(_ queue: PaymentQueue, removedTransactions transactions: [Transaction]) async {}

    public func paymentQueueRestoreCompletedTransactionsFinished(_ queue: PaymentQueue, count: Int) async {}

    public func paymentQueue(
        _ queue: PaymentQueue,
        restoreCompletedTransactionsFailedWithError error: PaymentError
    ) async {}

    public func paymentQueueInitialDeliveryEnded(_ queue: PaymentQueue) async {}

    public func paymentQueue(_ queue: PaymentQueue, didChange connection: ConnectionState) async {}
}
