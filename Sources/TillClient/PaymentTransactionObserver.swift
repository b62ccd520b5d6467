public import TillModel

/// Follows a queue by callbacks, as `SKPaymentTransactionObserver` does, from within
/// ``PaymentQueue/deliver(to:)``.
///
/// Callbacks come one at a time, in order, and with no lock held: any method of the queue may be called from inside one.
/// The next callback waits until the one before has returned.
public protocol PaymentTransactionObserver: AnyObject, Sendable {
    /// Transactions were added to the queue or changed. Unfinished ones are delivered again at every attach.
    func paymentQueue(_ queue: PaymentQueue, updatedTransactions transactions: [Transaction]) async
    /// Transactions were finished and are out of the queue; those that are taken back later come once more.
    func paymentQueue(_ queue: PaymentQueue, removedTransactions transactions: [Transaction]) async
    /// Purchases were refunded or revoked, all or a part of each, and what they gave the account is to be taken back.
    ///
    /// - Parameter transactions: As they are now, each with its revocation; some may be unfinished.
    func paymentQueue(
        _ queue: PaymentQueue,
        didRevokeEntitlementsForProductIdentifiers productIdentifiers: [String],
        transactions: [Transaction]
    ) async
    /// The store asks for a payment: a promoted purchase. True adds it to the queue; an application that answers false
    /// may add the same payment later.
    func paymentQueue(_ queue: PaymentQueue, shouldAddStorePayment payment: Payment) async -> Bool
    /// The store sells elsewhere, or in another currency; ask for the products again.
    func paymentQueueDidChangeStorefront(_ queue: PaymentQueue, to storefront: Storefront) async
    /// Downloads changed their state or made progress.
    func paymentQueue(_ queue: PaymentQueue, updatedDownloads downloads: [Download]) async
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

    public func paymentQueue(
        _ queue: PaymentQueue,
        didRevokeEntitlementsForProductIdentifiers productIdentifiers: [String],
        transactions: [Transaction]
    ) async {}

    public func paymentQueue(_ queue: PaymentQueue, shouldAddStorePayment payment: Payment) async -> Bool {
        false
    }

    public func paymentQueueDidChangeStorefront(_ queue: PaymentQueue, to storefront: Storefront) async {}

    public func paymentQueue(_ queue: PaymentQueue, updatedDownloads downloads: [Download]) async {}

    public func paymentQueueRestoreCompletedTransactionsFinished(_ queue: PaymentQueue, count: Int) async {}

    public func paymentQueue(
        _ queue: PaymentQueue,
        restoreCompletedTransactionsFailedWithError error: PaymentError
    ) async {}

    public func paymentQueueInitialDeliveryEnded(_ queue: PaymentQueue) async {}

    public func paymentQueue(_ queue: PaymentQueue, didChange connection: ConnectionState) async {}
}
