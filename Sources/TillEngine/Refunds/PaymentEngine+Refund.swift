import FoundationEssentials
package import TillModel

extension PaymentEngine {
    /// How long after its commit a refund is left to the call that committed it, in seconds.
    static let refundLease = 5.0

    /// Takes back a purchase or a part of it, and returns once the provider has answered for the first time. While its
    /// answer is unknown the refund is open, and the engine goes on asking.
    ///
    /// The same order again is harmless, and shows what became of it.
    ///
    /// - Throws: `notFound` for an unknown transaction, `failedPrecondition` that names what is left or the original to
    ///   refund, `alreadyExists` when the identity belongs to another refund, `invalidArgument`: nothing happened.
    ///   `unavailable` when the outcome is unknown.
    package func refund(
        _ order: RefundOrder,
        by identity: OperatorIdentity
    ) async throws(TillError) -> (RefundSummary, Transaction) {
        try identity.validate()
        try order.id.validate(asIdentityOf: "refund")
        guard (0...Payment.quantityRange.upperBound).contains(order.quantity) else {
            throw TillError(
                .invalidArgument,
                "The quantity must be 1 to \(Payment.quantityRange.upperBound), or 0 for all that is left."
            )
        }
        let isNew = try await commit { context in try self.begin(order, by: identity, &context) }
        if isNew {
            try await processRefund(order.id, isNew: true)
        }
        return try await read { ledger in
            guard let refund = try ledger.refund(order.id),
                let transaction = try ledger.transaction(key: refund.transactionKey)
            else {
                throw TillError(.dataLoss, "The refund \(order.id.text) is gone from the ledger.")
            }
            return (refund.summary, transaction.transaction(identifiedBy: self.numbering))
        }
    }

    /// - Returns: Whether it began now; false when it was ordered before.
    private func begin(
        _ order: RefundOrder,
        by identity: OperatorIdentity,
        _ context: inout CommandContext
    ) throws -> Result<Bool, TillError> {
        guard let transaction = try context.ledger.transaction(order.transactionID) else {
            return .failure(TillError(.notFound, "There is no transaction \(order.transactionID.text)."))
        }
        if let existing = try context.ledger.refund(order.id) {
            return existing.isOf(order, transaction)
                ? .success(false)
                : .failure(TillError(.alreadyExists, "The identity \(order.id.text) belongs to another refund."))
        }
        let facts = RefundDecision.Facts(
            transaction: transaction,
            charge: try context.ledger.charge(forTransaction: transaction.key),
            refunds: try context.ledger.refunds(ofTransaction: transaction.key)
        )
        switch RefundDecision.decide(order, facts) {
        case .failure(let error):
            return .failure(error)
        case .success(let decision):
            try context.audit("Refund", subject: transaction.id.text, detail: order.detail(decision), by: identity)
            try add(order, decision, to: transaction, by: identity, &context)
            return .success(true)
        }
    }

    private func add(
        _ order: RefundOrder,
        _ decision: RefundDecision,
        to transaction: TransactionRecord,
        by identity: OperatorIdentity,
        _ context: inout CommandContext
    ) throws {
        let refund = RefundRecord(
            id: order.id,
            transactionKey: transaction.key,
            queue: transaction.queue,
            quantity: decision.quantity,
            amount: decision.amount,
            keepsMoney: order.keepsMoney,
            currency: decision.currency,
            reason: order.reason,
            createdAt: context.now,
            dueAt: context.now.addingTimeInterval(Self.refundLease)
        )
        try context.ledger.insert(refund)
        try context.note(transaction.key, by: identity.actor, "refund of \(refund.text) ordered")
        if refund.amount == 0 {
            try settle(refund, as: .succeeded, reference: nil, &context)
        }
    }
}

extension RefundRecord {
    /// For people and logs.
    var text: String {
        let money = amount == 0 ? "no money" : "\(amount) minor units of \(currency)"
        return quantity == 0 ? money : "\(quantity), \(money)"
    }

    /// Whether the order asks for what this refund does.
    fileprivate func isOf(_ order: RefundOrder, _ transaction: TransactionRecord) -> Bool {
        transactionKey == transaction.key && reason == order.reason
            && (order.quantity == 0 || order.quantity == quantity)
            && order.keepsMoney == keepsMoney
    }
}

extension RefundOrder {
    /// The order as the audit log keeps it.
    fileprivate func detail(_ decision: RefundDecision) -> String {
        "refund=\(id.text) quantity=\(decision.quantity) amount=\(decision.amount) currency=\(decision.currency)"
            + " reason=\(reason.rawValue) keeps_money=\(keepsMoney)"
    }
}
