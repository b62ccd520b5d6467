package import FoundationEssentials
package import TillModel

extension PaymentEngine {
    /// Takes back a payment that has not been charged: it fails, as cancelled. Repeating it is harmless.
    ///
    /// - Throws: `notFound` for a payment that this queue never had; `failedPrecondition` when it is being charged, or
    ///   has ended: nothing happened.
    package func cancelPayment(_ id: UUID, in name: QueueName) async throws(TillError) -> Transaction {
        let record = try await commit { context -> Result<TransactionRecord, TillError> in
            guard let transaction = try context.ledger.transaction(id),
                let purchase = try self.purchase(of: transaction, context), purchase.queue.name == name
            else {
                return .failure(TillError(.notFound, "The queue has no payment \(id.text)."))
            }
            if transaction.error?.reason == .withdrawn {
                return .success(transaction)
            }
            if let error = Self.refusal(toCancel: purchase) {
                return .failure(error)
            }
            try context.note(transaction.key, by: name.account, "taken back by the application")
            return .success(try self.fail(purchase, Self.withdrawn, &context))
        }
        return record.transaction(identifiedBy: numbering)
    }

    private static func refusal(toCancel purchase: Purchase) -> TillError? {
        let id = purchase.transaction.id.text
        guard !purchase.transaction.state.isFinal else {
            return TillError(.failedPrecondition, "The payment \(id) is \(purchase.transaction.state) already.")
        }
        guard purchase.charge?.state != .open else {
            return TillError(.failedPrecondition, "The payment \(id) is being charged, and cannot be taken back.")
        }
        return nil
    }

    private static let withdrawn = PaymentError(
        .paymentCancelled,
        "The application took the payment back.",
        reason: .withdrawn
    )
}
