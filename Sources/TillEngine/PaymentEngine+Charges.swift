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
            try await settle(charge.key, outcome)
        case .retry(let date):
            try await postpone(charge.key, to: date)
        case .charge:
            assertionFailure("The provider's answer to a charge never asks for another charge.")
        }
    }

    private func postpone(_ key: Int64, to date: Date) async throws(TillError) {
        try await commit(isOwn: true) { context in
            guard var current = try context.ledger.charge(key: key), current.state == .open else {
                return .success(())
            }
            current.attempts += 1
            current.dueAt = date
            try context.save(current, wasOpen: true)
            return .success(())
        }
    }

    /// Stores the provider's answer, unless another one was stored before: a provider may answer twice.
    func settle(_ key: Int64, _ outcome: DefiniteOutcome) async throws(TillError) {
        try await commit(isOwn: true) { context in
            guard var charge = try context.ledger.charge(key: key), charge.state == .open else {
                return .success(())
            }
            charge.settle(outcome)
            if charge.transactionKey == nil {
                try context.save(charge)
                try self.settleRenewal(charge, outcome, &context)
            } else if let purchase = try self.purchase(of: charge, context) {
                try self.settle(purchase, outcome, &context)
            }
            return .success(())
        }
    }

    private func settle(_ purchase: Purchase, _ outcome: DefiniteOutcome, _ context: inout CommandContext) throws {
        var purchase = purchase
        if let error = outcome.error {
            purchase.transaction.fail(error)
            _ = try store(purchase, &context)
        } else {
            _ = try grant(purchase, ownedBy: nil, &context)
        }
        if let exclusivity = purchase.charge?.exclusivity {
            try releaseWaiting(exclusivity, in: purchase.queue, &context)
        }
    }
}
