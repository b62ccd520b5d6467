package import TillModel

extension PaymentEngine {
    /// Asks the application to add a payment that began in the store: a promoted purchase. The application decides, and
    /// adds the payment under its identity.
    ///
    /// The question waits until an observer has acknowledged it.
    ///
    /// - Throws: `invalidArgument` for a payment that can never be one, `notFound` for a product that the store does not
    ///   sell, `alreadyExists` for a payment that was added: nothing happened.
    package func promote(
        _ payment: Payment,
        to name: QueueName,
        by identity: OperatorIdentity
    ) async throws(TillError) {
        try payment.validate()
        guard product(payment.productID) != nil else {
            throw TillError(.notFound, "The store has no product \(payment.productID).")
        }
        try await commit { context -> Result<Void, TillError> in
            guard try context.ledger.transaction(payment.id) == nil else {
                return .failure(TillError(.alreadyExists, "The payment \(payment.id.text) was added before."))
            }
            let detail = "\(payment.quantity) of \(payment.productID) for \(name.account)"
            try context.audit("Promote", subject: name.application, detail: detail, by: identity)
            let queue = try context.queue(name)
            try context.append(.storePaymentRequested(payment), toQueue: queue.key, isPending: true)
            return .success(())
        }
    }
}
