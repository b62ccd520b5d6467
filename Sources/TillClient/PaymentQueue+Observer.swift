public import TillModel

extension PaymentQueue {
    /// Calls `observer` for every change of the queue, beginning with everything unfinished, until the task is
    /// cancelled.
    ///
    /// The observer is held for as long as this runs; several may run beside each other, each with its own place in
    /// the queue. Once the task is cancelled no new callback starts.
    ///
    /// - Throws: What ``Changes`` throws, and what adding a payment throws that the observer accepted from the store.
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

    /// Each once, in the order of the transactions.
    private static func productIDs(_ transactions: [Transaction]) -> [String] {
        var seen: Set<String> = []
        return transactions.map(\.payment.productID).filter { seen.insert($0).inserted }
    }

    /// Adds what the store asked for: once the next change is asked for, the store does not ask again.
    private func addStorePayment(_ payment: Payment) async throws(TillError) {
        var backoff = Backoff()
        var random = SystemRandomNumberGenerator()
        while !Task.isCancelled {
            do {
                try await add(payment)
                return
            } catch  where error.isWorthRepeating || error.code == .resourceExhausted {
                backoff.failed()
                try? await Task.sleep(for: backoff.delay(using: &random))
            }
        }
    }
}
