public import TillModel

extension PaymentQueue {
    /// Calls `observer` for every change of the queue, beginning with everything unfinished, until the task is
    /// cancelled.
    ///
    /// The observer is held for as long as this runs; several may run beside each other, each with its own place in
    /// the queue. Once the task is cancelled no new callback starts.
    ///
    /// - Throws: What ``Changes`` throws.
    public func deliver(to observer: some PaymentTransactionObserver) async throws(TillError) {
        var iterator = changes.makeAsyncIterator()
        while let change = try await iterator.next(isolation: nil), !Task.isCancelled {
            switch change {
            case .updated(let transactions):
                await observer.paymentQueue(self, updatedTransactions: transactions)
            case .removed(let transactions):
                await observer.paymentQueue(self, removedTransactions: transactions)
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
}
