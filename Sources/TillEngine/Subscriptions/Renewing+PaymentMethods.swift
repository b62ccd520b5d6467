import FoundationEssentials
import TillModel

/// Renewals that were not paid for, and whose payer has another payment method now.
extension Renewing {
    /// Tries the payer's unpaid renewals at once. Following the same change again changes nothing.
    ///
    /// A renewal that waits for something else than a payment method, such as a dispute, keeps waiting; so does one whose
    /// charge is under way.
    func follow(_ change: PaymentMethodChange, _ context: inout CommandContext) throws {
        guard let queue = try queue(of: change.payments, context.ledger) else {
            return
        }
        let text = "the payer changed the payment method (\(change.reference.replacingNUL)): the renewal is tried again"
        try context.ledger.forEachSubscription(in: queue) { record in
            guard record.waitsForPayment, try context.noteOnce(record.latestKey, text) else {
                return
            }
            try context.tryAgain(record)
        }
    }

    /// The queue of the first payment that the ledger has.
    private func queue(of payments: [UUID], _ ledger: any LedgerReader) throws -> Int64? {
        for id in payments {
            if let charge = try ledger.charge(ofPayment: id) {
                return charge.queue
            }
        }
        return nil
    }
}

extension SubscriptionRecord {
    fileprivate var waitsForPayment: Bool {
        isUnpaid && willRenew && dueAt != nil && (hold == nil || hold == .paymentMethod)
    }
}

extension CommandContext {
    /// Lets an unpaid renewal be tried again at once.
    mutating func tryAgain(_ record: SubscriptionRecord) throws {
        try ledger.update(record.changed { $0.tryAgain(at: now) })
        effects.requestsChanged = true
    }
}
