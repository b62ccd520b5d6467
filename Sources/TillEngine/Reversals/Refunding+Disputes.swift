import FoundationEssentials
import TillModel

/// What disputes change about renewals, each step within a commit.
///
/// While a dispute about any payment of an account is open, no renewal of the account's subscriptions in the same
/// application is charged: the bank may take that payment back too. A charge that is under way is settled.
extension Refunding {
    /// Lets the account's renewals wait while the provider keeps the money back, unless an operator has decided about it.
    func openDispute(_ reference: String, of key: Int64, _ context: inout CommandContext) throws {
        guard var transaction = try context.ledger.transaction(key: key),
            !transaction.openDisputes.contains(reference),
            try context.ledger.refunds(ofTransaction: key).contains(where: { refund in
                refund.reference == reference && refund.state == .needsReview
            })
        else {
            return
        }
        transaction.openDisputes.append(reference)
        try context.updateSilently(transaction)
        try context.note(key, "renewals of the account wait until the dispute \(reference) is decided")
    }

    /// Removes a dispute that is decided from the transaction's open ones.
    ///
    /// - Returns: Whether it was open.
    func closeDispute(_ reference: String?, of key: Int64, _ context: inout CommandContext) throws -> Bool {
        guard let reference, var transaction = try context.ledger.transaction(key: key),
            transaction.openDisputes.contains(reference)
        else {
            return false
        }
        transaction.openDisputes.removeAll { $0 == reference }
        try context.updateSilently(transaction)
        return true
    }

    /// Ends the renewal of the subscription that a payment was for which the bank took back, whichever of its periods that
    /// was. If it was the last one, the subscription has ended with the revocation.
    func stopRenewal(afterLossOf key: Int64, _ context: inout CommandContext) throws {
        guard let term = try context.ledger.transaction(key: key)?.term,
            var record = try context.ledger.subscription(key: term.subscription), !record.hasEnded, record.willRenew
        else {
            return
        }
        try record.setAutoRenew(false, at: context.now)
        try context.ledger.update(record)
        context.effects.requestsChanged = true
        try context.note(record.latestKey, "the subscription does not renew again, because a payment for it was lost")
    }

    /// Tries the renewals at once that have waited, if no other dispute of the account is open.
    func resumeRenewals(in queue: Int64, _ context: inout CommandContext) throws {
        guard try context.ledger.openDispute(in: queue) == nil else {
            return
        }
        try context.ledger.forEachSubscription(in: queue) { record in
            guard record.hold == .dispute else {
                return
            }
            try context.tryAgain(record)
            try context.note(record.latestKey, "the renewal no longer waits for a dispute")
        }
    }
}
