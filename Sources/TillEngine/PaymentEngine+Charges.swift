import FoundationEssentials
import TillModel

extension PaymentEngine {
    func runCharges(_ charges: JobRunner<Int64, ChargeRecord>) async throws {
        try await charges.run(
            find: { isFirst, limit in
                // At the start nobody else is at work on what is open.
                let date = isFirst ? Date.distantFuture : self.time.now()
                return try await self.ledger.read { try $0.dueCharges(at: date, limit: limit) }
            },
            perform: { charge, isNew in
                try await self.perform { () throws(TillError) in try await self.process(charge, isNew: isNew) }
            }
        )
    }

    /// Takes a charge to its next stored state.
    ///
    /// - Parameter isNew: Whether the provider has certainly not been called for it.
    private func process(_ charge: ChargeRecord, isNew: Bool) async throws(TillError) {
        var step = ChargeStep.charge
        if !isNew {
            let status = await provider.query(charge.request.paymentID)
            step = .after(status, of: charge, now: time.now(), deadline: configuration.purchasingDeadline)
        }
        if case .charge = step {
            let outcome = await provider.charge(charge.request)
            step = .after(outcome, of: charge, now: time.now(), deadline: configuration.purchasingDeadline)
        }
        switch step {
        case .settle(let outcome):
            try await settle(charge, outcome)
        case .retry(let date):
            try await postpone(charge, to: date)
        case .charge:
            assertionFailure("The provider's answer to a charge never asks for another charge.")
        }
    }

    private func postpone(_ charge: ChargeRecord, to date: Date) async throws(TillError) {
        try await commit(isOwn: true) { context in
            guard var current = try context.ledger.charge(forTransaction: charge.transactionKey),
                !current.state.isSettled
            else {
                return .success(())
            }
            current.attempts += 1
            current.dueAt = date
            try context.ledger.update(current)
            return .success(())
        }
    }

    private func settle(_ charge: ChargeRecord, _ outcome: DefiniteOutcome) async throws(TillError) {
        let isRestorable = catalogue.product(charge.request.productID, locale: nil)?.type.isRestorable ?? false
        let decision = SettlementDecision.decide(outcome, isRestorable: isRestorable)
        let now = time.now().roundedToMilliseconds
        try await commit(isOwn: true) { context in
            try Self.settle(charge.transactionKey, decision, at: now, &context)
            return .success(())
        }
    }

    /// Stores the answer, unless another one was stored before.
    private static func settle(
        _ key: Int64,
        _ decision: SettlementDecision,
        at now: Date,
        _ context: inout CommandContext
    ) throws {
        guard var charge = try context.ledger.charge(forTransaction: key), !charge.state.isSettled,
            var transaction = try context.ledger.transaction(key: key)
        else {
            return
        }
        charge.state = decision.chargeState
        charge.reference = decision.reference
        try context.ledger.update(charge)
        transaction.state = decision.transactionState
        transaction.error = decision.error
        transaction.isEntitlement = decision.isEntitlement
        let settled = try context.save(transaction)
        try releaseWaiting(after: settled, at: now, &context)
    }

    /// What waited for this charge is owned now, or else the first of it is charged.
    private static func releaseWaiting(
        after settled: TransactionRecord,
        at now: Date,
        _ context: inout CommandContext
    ) throws {
        let waiting = try context.ledger.openCharges(for: settled.payment.productID, in: settled.queue)
            .filter { $0.state == .waiting }
        guard settled.isEntitlement else {
            if var first = waiting.first {
                first.state = .open
                first.dueAt = now.addingTimeInterval(chargeLease)
                try context.ledger.update(first)
                context.effects.charges.append(first)
            }
            return
        }
        for var charge in waiting {
            charge.state = .unneeded
            try context.ledger.update(charge)
            if var transaction = try context.ledger.transaction(key: charge.transactionKey) {
                transaction.state = .purchased
                transaction.original = settled.asOriginal
                try context.save(transaction)
            }
        }
    }
}
