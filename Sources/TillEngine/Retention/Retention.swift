package import FoundationEssentials
import TillModel

/// Decides which transactions have to keep their receipts and histories. All else of a transaction is kept for good: a payment
/// that is sent again must not be charged again, and a charge can be refunded or disputed at any time.
enum Retention {
    /// Removes the receipt and the history of a transaction, unless it has to keep them.
    ///
    /// - Returns: Whether they were removed.
    static func prune(_ key: Int64, endedBefore date: Date, _ context: inout CommandContext) throws -> Bool {
        guard let transaction = try context.ledger.transaction(key: key), transaction.isPrunable(before: date),
            try context.ledger.history(ofTransaction: key).allSatisfy({ $0.date < date }),
            try context.ledger.charge(forTransaction: key)?.isDecided ?? true,
            try context.ledger.refunds(ofTransaction: key).allSatisfy(\.isDecided)
        else {
            return false
        }
        try context.ledger.prune(key)
        return true
    }
}

extension TransactionRecord {
    /// Whether the transaction may lose its receipt and its history as far as its own row tells: its application finished it before
    /// the date and needs no receipt of it any more, and nothing about it waits for an operator or an observer.
    package func isPrunable(before date: Date) -> Bool {
        guard let finishedAt, finishedAt < date else {
            return false
        }
        return !isEntitlement && !staysInApplicationReceipt && !isInterrupted && !isRevocationPending
            && openDisputes.isEmpty
    }
}

extension ChargeRecord {
    fileprivate var isDecided: Bool {
        state.isSettled && state != .needsReview
    }
}

extension RefundRecord {
    fileprivate var isDecided: Bool {
        state == .succeeded || state == .failed
    }
}
