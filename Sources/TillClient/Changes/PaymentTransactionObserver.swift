public import TillModel

/// Receives the changes of a queue as callbacks, as `SKPaymentTransactionObserver` does, from within
/// ``PaymentQueue/deliver(to:)``.
///
/// Callbacks arrive one at a time, in order, and without a lock held: they may call any method of the queue. The next
/// callback waits until the previous one has returned.
public protocol PaymentTransactionObserver: AnyObject, Sendable {
    /// Transactions were added to the queue or changed. Unfinished ones are delivered again at every attach.
    func paymentQueue(_ queue: PaymentQueue, updatedTransactions transactions: [Transaction]) async
    /// Transactions were finished and removed from the queue. Those that are revoked later arrive here again.
    func paymentQueue(_ queue: PaymentQueue, removedTransactions transactions: [Transaction]) async
    /// Purchases were refunded or revoked, completely or in part: remove what they gave to the account.
    ///
    /// - Parameters:
    ///   - queue: The queue.
    ///   - productIdentifiers: The products of the transactions, each once.
    ///   - transactions: Each with its revocation; some may be unfinished.
    func paymentQueue(
        _ queue: PaymentQueue,
        didRevokeEntitlementsForProductIdentifiers productIdentifiers: [String],
        transactions: [Transaction]
    ) async
    /// The store requests a payment: a promoted purchase. Return true to add it to the queue; after false, the
    /// application may add the same payment later.
    func paymentQueue(_ queue: PaymentQueue, shouldAddStorePayment payment: Payment) async -> Bool
    /// The storefront changed, for example its currency: request the products again.
    func paymentQueueDidChangeStorefront(_ queue: PaymentQueue, to storefront: Storefront) async
    /// Downloads changed their state or made progress.
    func paymentQueue(_ queue: PaymentQueue, updatedDownloads downloads: [Download]) async
    /// A restore has finished, and all its transactions have been delivered.
    func paymentQueueRestoreCompletedTransactionsFinished(_ queue: PaymentQueue, count: Int) async
    /// A restore failed, possibly after some transactions were delivered.
    func paymentQueue(_ queue: PaymentQueue, restoreCompletedTransactionsFailedWithError error: PaymentError) async
    /// All unfinished transactions have been delivered; later changes are new.
    func paymentQueueInitialDeliveryEnded(_ queue: PaymentQueue) async
    /// The daemon was reached or lost.
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

extension PaymentQueue {
    /// Calls `observer` for every change of the queue, beginning with all unfinished transactions, until the task is
    /// cancelled.
    ///
    /// The call retains the observer. Several calls may run at the same time, each with its own position in the queue.
    /// Once the task is cancelled, no new callback starts.
    ///
    /// - Throws: The errors of ``Changes``, and of adding a payment that the observer accepted from the store.
    public func deliver(to observer: some PaymentTransactionObserver) async throws(TillError) {
        var iterator = changes.makeAsyncIterator()
        while let change = try await iterator.next(isolation: nil), !Task.isCancelled {
            switch change {
            case .updated(let transactions):
                await observer.paymentQueue(self, updatedTransactions: transactions)
            case .removed(let transactions):
                await observer.paymentQueue(self, removedTransactions: transactions)
            case .revoked(let transactions):
                await observer.paymentQueue(
                    self,
                    didRevokeEntitlementsForProductIdentifiers: Self.productIDs(transactions),
                    transactions: transactions
                )
            case .storePaymentRequested(let payment):
                if await observer.paymentQueue(self, shouldAddStorePayment: payment) {
                    try await addStorePayment(payment)
                }
            case .storefrontChanged(let storefront):
                await observer.paymentQueueDidChangeStorefront(self, to: storefront)
            case .downloadsUpdated(let downloads):
                await observer.paymentQueue(self, updatedDownloads: downloads)
            case .restoreFinished(_, let count):
                await observer.paymentQueueRestoreCompletedTransactionsFinished(self, count: count)
            case .restoreFailed(_, let error):
                await observer.paymentQueue(self, restoreCompletedTransactionsFailedWithError: error)
            case .initialDeliveryEnded:
                await observer.paymentQueueInitialDeliveryEnded(self)
            case .connection(let state):
                await observer.paymentQueue(self, didChange: state)
            }
        }
    }

    /// The distinct product identifiers, in the order of the transactions.
    private static func productIDs(_ transactions: [Transaction]) -> [String] {
        var seen: Set<String> = []
        return transactions.map(\.payment.productID).filter { seen.insert($0).inserted }
    }

    /// Adds a payment that the store requested, with retries: reading the next change acknowledges the request.
    private func addStorePayment(_ payment: Payment) async throws(TillError) {
        var backoff = Backoff()
        var random = SystemRandomNumberGenerator()
        while !Task.isCancelled {
            do {
                try await add(payment)
                return
            } catch  where error.isRetryable || error.code == .resourceExhausted {
                backoff.failed()
                try? await Task.sleep(for: backoff.delay(using: &random))
            }
        }
    }
}
