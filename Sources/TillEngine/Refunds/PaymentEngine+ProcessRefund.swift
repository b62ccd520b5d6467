import FoundationEssentials
import NIOConcurrencyHelpers
import TillModel

extension PaymentEngine {
    /// Takes an open refund to its next stored state, unless another call is at that.
    ///
    /// - Parameter isNew: Whether the provider has certainly not been called for it.
    func processRefund(_ id: UUID, isNew: Bool = false) async throws(TillError) {
        guard refundsUnderWay.withLockedValue({ $0.insert(id).inserted }) else {
            return
        }
        defer { refundsUnderWay.withLockedValue { _ = $0.remove(id) } }
        guard let (refund, request) = try await read({ try Self.openRefund(id, $0) }) else {
            return
        }
        var calls: [String] = []
        var step = ChargeStep.charge
        if !isNew {
            guard try await lease(id) else {
                return
            }
            let status = await provider.queryRefund(id)
            step = .after(status, of: refund, now: time.now(), deadline: configuration.purchasingDeadline)
            calls.append("asked about refund \(id.text): \(step.text)")
        }
        if case .charge = step {
            let outcome = await provider.refund(request, unless: isTooLate(for: refund, isNew: isNew))
            step = .after(outcome, of: refund, now: time.now(), deadline: configuration.purchasingDeadline)
            calls.append("asked for refund \(id.text): \(step.text)")
        }
        try await store(step, of: refund, isCounted: !isNew, after: calls)
    }

    /// Counts a question before it is asked, as for a charge.
    private func lease(_ id: UUID) async throws(TillError) -> Bool {
        try await commit(isOwn: true) { context in
            guard var current = try context.ledger.refund(id), current.state == .open else {
                return .success(false)
            }
            current.dueAt = ChargeStep.nextQuestion(after: current.attempts, now: context.now)
            current.attempts += 1
            try context.ledger.update(current)
            return .success(true)
        }
    }

    private static func openRefund(_ id: UUID, _ ledger: any LedgerReader) throws -> (RefundRecord, RefundRequest)? {
        guard let refund = try ledger.refund(id), refund.state == .open else {
            return nil
        }
        guard let charge = try ledger.charge(forTransaction: refund.transactionKey) else {
            throw TillError(.dataLoss, "The charge that the refund \(id.text) belongs to is gone from the ledger.")
        }
        let request = RefundRequest(
            refundID: id,
            paymentID: charge.request.paymentID,
            amount: refund.amount,
            currency: refund.currency
        )
        return (refund, request)
    }

    private func store(
        _ step: ChargeStep,
        of refund: RefundRecord,
        isCounted: Bool,
        after calls: [String]
    ) async throws(TillError) {
        try await commit(isOwn: true) { context in
            for call in calls {
                try context.note(refund.transactionKey, kind: .providerCall, call)
            }
            guard var current = try context.ledger.refund(refund.id), current.state == .open else {
                return .success(())
            }
            switch step {
            case .settle(.succeeded(let reference)):
                try self.settle(current, as: .succeeded, reference: reference, &context)
            case .settle(.declined):
                try self.settle(current, as: .failed, reference: nil, &context)
            case .settle(.abandoned):
                try self.settle(current, as: .needsReview, reference: nil, &context)
            case .retry(let date):
                current.attempts += isCounted ? 0 : 1
                current.dueAt = date
                try context.ledger.update(current)
            case .charge:
                assertionFailure("The provider's answer to a refund never asks for another refund.")
            }
            return .success(())
        }
    }

    /// Stores how a refund ended; one that succeeded revokes what it was of.
    func settle(
        _ refund: RefundRecord,
        as state: RefundRecord.State,
        reference: String?,
        _ context: inout CommandContext
    ) throws {
        var settled = refund
        settled.state = state
        settled.reference = reference
        try context.ledger.update(settled)
        try context.note(refund.transactionKey, "refund of \(refund.text): \(state.text)")
        if state == .succeeded, refund.quantity > 0 {
            try revoke(settled, &context)
        }
    }

    private func revoke(_ refund: RefundRecord, _ context: inout CommandContext) throws {
        guard var transaction = try context.ledger.transaction(key: refund.transactionKey) else {
            return
        }
        let refunds = try context.ledger.refunds(ofTransaction: transaction.key)
        let quantity = refunds.filter { $0.state == .succeeded }.reduce(0) { $0 + $1.quantity }
        // The order of the two decides what the last change was, also after the clock was set back.
        let date = max(context.now, transaction.finishedAt ?? context.now)
        transaction.revocation = Revocation(date: date, reason: refund.reason, quantity: quantity)
        transaction.isRevocationPending = true
        let isWhole = quantity >= transaction.payment.quantity
        if isWhole {
            transaction.isEntitlement = false
        }
        try signAgain(&transaction, context)
        let revoked = try context.save(transaction)
        if isWhole {
            try revokeCopies(of: revoked, for: refund.reason, &context)
        }
        if revoked.term != nil {
            try revokeSubscription(of: revoked, at: context.now, &context)
        }
    }

    /// Takes back the unfinished copies of a purchase too: each is delivered, and signed, as a purchase of its own.
    private func revokeCopies(
        of purchase: TransactionRecord,
        for reason: Revocation.Reason,
        _ context: inout CommandContext
    ) throws {
        var key = purchase.key
        while true {
            let page = try context.ledger.transactions(
                in: purchase.queue,
                afterKey: key,
                includeFinished: false,
                limit: Self.pageMaximum
            )
            for var copy in page where copy.isCopy(of: purchase) {
                copy.revocation = Revocation(date: context.now, reason: reason, quantity: copy.payment.quantity)
                copy.isRevocationPending = true
                try signAgain(&copy, context)
                try context.save(copy)
                try context.note(copy.key, "taken back with its original")
            }
            guard page.count == Self.pageMaximum, let last = page.last else {
                return
            }
            key = last.key
        }
    }
}

extension TransactionRecord {
    /// Whether this is only a copy of the purchase: restored, or bought again while that was owned.
    fileprivate func isCopy(of purchase: TransactionRecord) -> Bool {
        (state == .restored || state == .purchased && !isEntitlement) && revocation == nil
            && repeats == purchase.key
    }
}

extension RefundRecord.State {
    /// For people.
    var text: String {
        switch self {
        case .open: "not answered"
        case .succeeded: "done"
        case .failed: "refused by the provider"
        case .needsReview: "the provider's answer stayed unknown"
        }
    }
}
