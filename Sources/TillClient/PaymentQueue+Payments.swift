public import FoundationEssentials
public import TillModel
import TillWire

extension PaymentQueue {
    /// Whether the account may pay.
    public func canMakePayments() async throws(TillError) -> Bool {
        let response: CanMakePaymentsResponse = try await call(.canMakePayments, CanMakePaymentsRequest())
        return response.canMakePayments
    }

    /// Adds a payment to the queue and returns once it is durable there. What becomes of it arrives in ``changes``.
    ///
    /// Adding the same payment again, by its `id`, is harmless: also after a crash, and by another process.
    ///
    /// - Throws: `invalidArgument` for a payment that can never be one and `alreadyExists` for an identity that another
    ///   payment has: nothing happened. After any other error the payment may be in the queue; add the same again.
    @discardableResult
    public func add(_ payment: Payment) async throws(TillError) -> Transaction {
        let response: AddPaymentResponse = try await call(.addPayment, AddPaymentRequest(payment: payment))
        return response.transaction
    }

    /// Takes back a payment that was not charged yet; its transaction fails, with the reason `withdrawn`. Cancelling it
    /// again is harmless.
    ///
    /// - Returns: The payment's transaction.
    /// - Throws: `failedPrecondition` when it is being charged or has ended otherwise, `notFound` if this queue never had
    ///   the payment.
    @discardableResult
    public func cancel(paymentID: UUID) async throws(TillError) -> Transaction {
        let response: CancelPaymentResponse = try await call(
            .cancelPayment,
            CancelPaymentRequest(transactionID: paymentID)
        )
        return response.transaction
    }

    /// Adds a payment and waits for what becomes of it: purchased, or failed with an error.
    ///
    /// The transaction stays in the queue until it is finished. A deferred payment keeps waiting; cancelling the task
    /// ends the wait and not the payment.
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
            // An observer may finish it before it is seen here.
            case .removed(let removed): transactions = removed
            // An operator may take it back before it is seen here.
            case .revoked(let revoked): transactions = revoked
            // The changes since then were not to be had any more.
            case .initialDeliveryEnded: transactions = [try await add(payment)]
            default: continue
            }
            if let final = transactions.last(where: { $0.id == payment.id && $0.state.isFinal }) {
                return final
            }
        }
        throw TillError(.cancelled, "The wait for the payment was cancelled; the payment goes on.")
    }

    /// Takes a transaction out of the queue and returns once that is durable. Finishing it again is harmless.
    ///
    /// - Throws: `failedPrecondition` while it is purchasing or deferred, `notFound` if this queue never had it.
    public func finish(_ transaction: Transaction) async throws(TillError) {
        try await finish(id: transaction.id)
    }

    /// Takes the transaction of that identity out of the queue; with
    /// ``ClientConfiguration/collapsesRenewals``, the older renewals that it stands for too.
    ///
    /// - Throws: As ``finish(_:)``.
    public func finish(id: UUID) async throws(TillError) {
        let response: FinishTransactionResponse = try await call(
            .finishTransaction,
            FinishTransactionRequest(
                transactionID: id,
                finishesOlderRenewals: configuration.collapsesRenewals
            )
        )
        finished.insert(id, removedAt: response.revision)
    }
}
