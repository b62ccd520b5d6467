import FoundationEssentials
package import TillModel

extension PaymentEngine {
    package func canMakePayments(account: String) -> Bool {
        !configuration.accountsNotAllowedToPay.contains(account)
    }

    /// Adds the payment to the queue, or returns its transaction if it was added before.
    ///
    /// - Throws: `invalidArgument` for a payment that can never be one, `alreadyExists` when the identity belongs to
    ///   another payment: nothing happened. `unavailable` when the outcome is unknown.
    package func addPayment(_ payment: Payment, to name: QueueName) async throws(TillError) -> Transaction {
        try payment.validate()
        let record = try await commit { context in
            if let existing = try context.ledger.transaction(payment.id) {
                return try Self.repeated(existing, payment, name, context.ledger)
            }
            return .success(try self.begin(payment, in: try context.queue(name), &context))
        }
        return record.transaction(identifiedBy: numbering)
    }

    private static func repeated(
        _ existing: TransactionRecord,
        _ payment: Payment,
        _ name: QueueName,
        _ ledger: any LedgerReader
    ) throws -> Result<TransactionRecord, TillError> {
        guard existing.payment.hasSameBytes(as: payment), try ledger.queue(key: existing.queue)?.name == name else {
            return .failure(
                TillError(
                    .alreadyExists,
                    "The identity \(payment.id.text) belongs to another payment; a new payment needs a new identity."
                )
            )
        }
        return .success(existing)
    }
}
