package import TillModel

/// Payment methods that an account keeps at the provider for its subscriptions.
///
/// The provider is the only one that stores them. It finds the payer by a payment: the ledger has no identity of the payer.
extension PaymentEngine {
    /// The payment methods, the newest first: at most 100.
    ///
    /// - Throws: `failedPrecondition` if the account has paid for no subscription in this application, or if the provider
    ///   keeps no payment methods; `unavailable` when it cannot be asked.
    package func paymentMethods(in queue: QueueName) async throws(TillError) -> [PaymentMethod] {
        try await asPayer(in: queue) { (payment) async throws(TillError) in
            try await provider.paymentMethods(ofPayment: payment)
        }
    }

    /// Removes a payment method, and records that in the audit log.
    ///
    /// - Throws: As ``paymentMethods(in:)``; `notFound` if it is not the account's.
    package func removePaymentMethod(
        _ id: String,
        in queue: QueueName,
        by approver: Approver
    ) async throws(TillError) {
        try await asPayer(in: queue) { (payment) async throws(TillError) in
            try await provider.removePaymentMethod(id, ofPayment: payment)
        }
        try await commit { context in
            let identity = OperatorIdentity(uid: approver.uid, reason: "")
            return .success(
                try context.audit("RemovePaymentMethod", subject: id, detail: queue.application, by: identity)
            )
        }
    }

    /// The address of the provider's page for payment methods.
    ///
    /// - Throws: As ``paymentMethods(in:)``.
    package func paymentMethodPage(
        _ task: PaymentMethodTask,
        in queue: QueueName
    ) async throws(TillError) -> String {
        try await asPayer(in: queue) { (payment) async throws(TillError) in
            try await provider.paymentMethodPage(task, ofPayment: payment)
        }
    }

    /// Calls the provider with a payment of the account's, one call of an account at a time.
    private func asPayer<Value: Sendable>(
        in queue: QueueName,
        _ call: (String) async throws(TillError) -> Value
    ) async throws(TillError) -> Value {
        guard let payment = try await read({ try $0.paymentForMethods(in: queue) }) else {
            throw TillError(
                .failedPrecondition,
                "The account \(queue.account) has paid for no subscription in \(queue.application), so that no payment "
                    + "method is kept for it."
            )
        }
        try await payerCalls.acquire(queue.account)
        defer { payerCalls.release(queue.account) }
        return try await call(payment)
    }
}

extension LedgerReader {
    /// The payment of the subscription whose payment method matters most: one that is not paid for now, or else the newest.
    fileprivate func paymentForMethods(in name: QueueName) throws -> String? {
        guard let queue = try queue(name) else {
            return nil
        }
        var found: (isUnpaid: Bool, payment: String)?
        try forEachSubscription(in: queue.key) { record in
            if record.isUnpaid || found?.isUnpaid != true, let payment = try lastPayment(of: record) {
                found = (record.isUnpaid, payment)
            }
        }
        return found?.payment
    }
}
