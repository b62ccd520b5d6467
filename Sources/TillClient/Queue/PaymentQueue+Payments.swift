public import FoundationEssentials
public import TillModel
import TillWire

extension PaymentQueue {
    /// Whether the account may pay.
    public func canMakePayments() async throws(TillError) -> Bool {
        try await call(CanMakePaymentsRequest()).canMakePayments
    }

    /// Adds a payment to the queue and returns once it is durable there. The outcome arrives in ``changes``.
    ///
    /// Adding the same payment again, by its `id`, is harmless, even after a crash and from another process.
    ///
    /// - Throws: `invalidArgument` for a payment that is not valid, and `alreadyExists` for an identity that another
    ///   payment has: nothing was stored. After any other error the payment may be in the queue; add the same again.
    @discardableResult
    public func add(_ payment: Payment) async throws(TillError) -> Transaction {
        try await call(AddPaymentRequest(payment: payment)).transaction
    }

    /// Cancels a payment that was not charged yet, or that waits for its payer. Its transaction fails with the reason
    /// `withdrawn`. Cancelling again is harmless.
    ///
    /// - Returns: The payment's transaction.
    /// - Throws: `failedPrecondition` when the payment is being charged or has ended, for example because its payer has
    ///   just paid; `notFound` if this queue never had it.
    @discardableResult
    public func cancel(paymentID: UUID) async throws(TillError) -> Transaction {
        try await call(CancelPaymentRequest(transactionID: paymentID)).transaction
    }

    /// Adds a payment and waits for the outcome: purchased, or failed with an error.
    ///
    /// The transaction stays in the queue until it is finished. The wait includes the time that a payment is deferred.
    /// Cancelling the task ends the wait, not the payment.
    ///
    /// - Throws: As ``add(_:)``; `cancelled` when the task was.
    public func purchase(_ payment: Payment) async throws(TillError) -> Transaction {
        let added = try await add(payment)
        guard !added.state.isFinal else {
            return added
        }
        var iterator = watchedChanges(after: added.revision).makeAsyncIterator()
        while let change = try await iterator.next(isolation: nil) {
            let transactions: [Transaction]
            switch change {
            case .updated(let updated): transactions = updated
            // An observer may finish the transaction before this call sees it.
            case .removed(let removed): transactions = removed
            // An operator may refund the purchase before this call sees it.
            case .revoked(let revoked): transactions = revoked
            // The daemon no longer had the changes since then.
            case .initialDeliveryEnded: transactions = [try await add(payment)]
            default: continue
            }
            if let final = transactions.last(where: { $0.id == payment.id && $0.state.isFinal }) {
                return final
            }
        }
        throw TillError(.cancelled, "The wait for the payment was cancelled; the payment continues.")
    }

    /// Removes a transaction from the queue and returns once that is durable. Finishing it again is harmless.
    ///
    /// - Throws: `failedPrecondition` while it is purchasing or deferred, and while an application finishes it in the ledger's
    ///   database; `notFound` if this queue never had it.
    public func finish(_ transaction: Transaction) async throws(TillError) {
        try await finish(id: transaction.id)
    }

    /// Removes the transaction with this identity from the queue. With ``ClientConfiguration/collapsesRenewals`` this
    /// also finishes the older renewals that it replaces.
    ///
    /// - Throws: As ``finish(_:)``.
    public func finish(id: UUID) async throws(TillError) {
        let response = try await call(
            FinishTransactionRequest(
                transactionID: id,
                finishesOlderRenewals: configuration.collapsesRenewals
            )
        )
        finished.insert(id, removedAt: response.revision)
    }
}
