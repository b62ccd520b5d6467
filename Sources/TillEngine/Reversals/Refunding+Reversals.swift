import FoundationEssentials
import TillModel

/// Refunds and disputes that Till did not ask for, each step within a commit.
extension Refunding {
    /// Stores what the provider's record says about a refund or a dispute. Storing the same again changes nothing.
    ///
    /// - Returns: Whether it has to come again: the engine does not know yet that the payment was charged, and now asks.
    func follow(_ reversal: ProviderReversal, _ context: inout CommandContext) throws -> Bool {
        guard var charge = try context.ledger.charge(ofPayment: reversal.paymentID) else {
            return false
        }
        guard charge.state != .open else {
            charge.dueAt = min(charge.dueAt, context.now)
            try context.save(charge, wasOpen: true)
            return true
        }
        guard let key = charge.transactionKey, let transaction = try context.ledger.transaction(key: key) else {
            return false
        }
        let facts = RefundDecision.Facts(
            transaction: transaction,
            charge: charge,
            refunds: try context.ledger.refunds(ofTransaction: transaction.key)
        )
        let isDispute = reversal.kind == .dispute
        switch ReversalStep.decide(reversal, facts) {
        case .none:
            break
        case .note(let text):
            _ = try context.noteOnce(transaction.key, text)
        case .add(let quantity, let state):
            try add(reversal, quantity, state, to: transaction, &context)
        case .settle(let refund, let state):
            try context.note(transaction.key, kind: .providerCall, "\(reversal.text): \(state.text)")
            try settle(refund, as: state, reference: reversal.reference, isDispute: isDispute, &context)
        case .review(var refund):
            let text =
                "\(reversal.text) failed after it had succeeded: the money is back, and what it revoked stays revoked"
            // What an operator has found about it since then counts.
            if try context.noteOnce(transaction.key, text) {
                refund.state = .needsReview
                refund.reference = reversal.reference
                try context.ledger.update(refund)
            }
        }
        if isDispute, reversal.status == .withheld {
            try openDispute(reversal.reference, of: transaction.key, &context)
        }
        return false
    }

    private func add(
        _ reversal: ProviderReversal,
        _ quantity: Int,
        _ state: RefundRecord.State,
        to transaction: TransactionRecord,
        _ context: inout CommandContext
    ) throws {
        let refund = RefundRecord(
            // A refund of an older copy of the ledger keeps its identity.
            id: reversal.refundID ?? makeID(),
            transactionKey: transaction.key,
            queue: transaction.queue,
            quantity: quantity,
            amount: reversal.amount,
            currency: reversal.currency,
            reason: .other,
            state: state == .needsReview ? .needsReview : .open,
            createdAt: context.now,
            dueAt: context.now,
            reference: reversal.reference
        )
        try context.ledger.insert(refund)
        try context.note(transaction.key, kind: .providerCall, reversal.text)
        if state != .needsReview {
            try settle(
                refund,
                as: state,
                reference: reversal.reference,
                isDispute: reversal.kind == .dispute,
                &context
            )
        }
    }
}
