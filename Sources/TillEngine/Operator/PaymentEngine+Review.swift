import FoundationEssentials
import TillModel

extension PaymentEngine {
    /// Stores what an operator found out about a charge whose outcome stayed unknown. Money that moved buys: the failed
    /// transaction is final, so another one continues it, and takes over its charge.
    ///
    /// - Returns: The transaction that continues the purchase; the failed one when no money moved.
    func resolveReview(
        _ transaction: TransactionRecord,
        _ outcome: ReviewOutcome,
        _ context: inout CommandContext
    ) throws -> TransactionRecord {
        guard var charge = try context.ledger.charge(forTransaction: transaction.key), charge.state == .needsReview,
            let queue = try context.ledger.queue(key: transaction.queue)
        else {
            return transaction
        }
        switch outcome {
        case .notCharged:
            charge.state = .declined
            try context.save(charge)
            return transaction
        case .charged(let reference):
            charge.state = .succeeded
            charge.reference = reference
            var payment = transaction.payment
            payment.id = makeID()
            let continuing = TransactionRecord(
                queue: queue.key,
                id: payment.id,
                payment: payment,
                productType: transaction.productType,
                state: .purchasing,
                revision: 0,
                createdAt: context.now,
                continues: transaction.id,
                offer: transaction.offer,
                sale: transaction.sale
            )
            let purchase = Purchase(transaction: continuing, charge: charge, queue: queue)
            let granted = try grant(purchase, ownedBy: nil, &context)
            try context.note(granted.key, "continues \(transaction.id.text), which was charged as an operator found")
            return granted
        }
    }
}
