import FoundationEssentials
package import TillModel

extension PaymentEngine {
    /// How long after its commit a charge is left to the process that committed it, in seconds.
    static let chargeLease = 5.0

    package func canMakePayments(account: String) -> Bool {
        !configuration.accountsNotAllowedToPay.contains(account)
    }

    /// Adds the payment to the queue, or returns its transaction if it was added before.
    ///
    /// - Throws: `invalidArgument` for a payment that can never be one, `alreadyExists` when the identity belongs to
    ///   another payment: nothing happened. `unavailable` when the outcome is unknown.
    package func addPayment(_ payment: Payment, to name: QueueName) async throws(TillError) -> Transaction {
        try payment.validate()
        let product = catalogue.product(payment.productID, locale: nil)
        let canMakePayments = canMakePayments(account: name.account)
        let record = try await commit { context in
            if let existing = try context.ledger.transaction(payment.id) {
                return try Self.repeated(existing, payment, name, context.ledger)
            }
            let queue = try context.queue(name)
            var facts = AddPaymentDecision.Facts(product: product, canMakePayments: canMakePayments)
            if product?.type.isRestorable == true {
                facts.entitlement = try context.ledger.entitlement(to: payment.productID, in: queue.key)
                facts.hasOpenCharge = try !context.ledger.openCharges(for: payment.productID, in: queue.key).isEmpty
            }
            return .success(try self.add(payment, AddPaymentDecision.decide(payment, facts), to: queue, &context))
        }
        return record.transaction
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

    private func add(
        _ payment: Payment,
        _ decision: AddPaymentDecision,
        to queue: QueueRecord,
        _ context: inout CommandContext
    ) throws -> TransactionRecord {
        let now = time.now().roundedToMilliseconds
        let record = try context.save(
            TransactionRecord(
                queue: queue.key,
                id: payment.id,
                payment: payment,
                state: decision.state,
                revision: 0,
                createdAt: now,
                error: decision.error,
                original: decision.original,
                isEntitlement: decision.isEntitlement
            )
        )
        if case .due(let amount, let currency, let waits) = decision.charge {
            try context.insert(
                ChargeRecord(
                    transactionKey: record.key,
                    queue: queue.key,
                    request: ChargeRequest(
                        paymentID: payment.id,
                        application: queue.name.application,
                        account: queue.name.account,
                        productID: payment.productID,
                        quantity: payment.quantity,
                        amount: amount,
                        currency: currency
                    ),
                    state: waits ? .waiting : .open,
                    createdAt: now,
                    dueAt: now.addingTimeInterval(Self.chargeLease)
                )
            )
        }
        return record
    }
}
