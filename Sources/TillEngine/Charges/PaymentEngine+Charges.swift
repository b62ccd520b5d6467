import FoundationEssentials
import TillModel

#if MUTANTS
    import Mutants
#endif

extension PaymentEngine {
    func runCharges(_ charges: JobRunner<Int64, ChargeJob>) async throws {
        try await charges.run(
            find: { isFirst, limit in
                let now = self.time.now()
                let found = try await self.ledger.read { ledger in
                    try Self.dueCharges(at: now, withLeases: isFirst, limit: limit, ledger)
                }
                return found.map { ChargeJob(charge: $0) }
            },
            perform: { job, isNew in
                try await self.perform { () throws(TillError) in try await self.process(job, isNew: isNew) }
            }
        )
    }

    /// Charges whose time has come, and those that the clock was set back for.
    ///
    /// - Parameter withLeases: Whether also those that were left to the process that committed them: at the start it is
    ///   gone. Charges that were asked about keep the wait that the process before has stored.
    private static func dueCharges(
        at now: Date,
        withLeases: Bool,
        limit: Int,
        _ ledger: any LedgerReader
    ) throws -> [ChargeRecord] {
        let end = withLeases ? now.addingTimeInterval(chargeLease) : now
        let due = try ledger.dueCharges(at: end, limit: limit).filter { $0.dueAt <= now || $0.attempts == 0 }
        let horizon = now.addingTimeInterval(ChargeStep.horizon)
        return due + (try ledger.charges(dueAfter: horizon, limit: limit - due.count))
    }

    /// Takes a charge to its next stored state.
    ///
    /// - Parameter isNew: Whether the provider has certainly not been called for it.
    private func process(_ job: ChargeJob, isNew: Bool) async throws(TillError) {
        #if MUTANTS
            var charge = job.charge
            if Mutant.newIdempotencyKey.isPlanted, !isNew {
                charge.request.paymentID = makeID()
            }
        #else
            let charge = job.charge
        #endif
        var calls: [String] = []
        var step = ChargeStep.charge
        if !isNew {
            guard try await lease(charge.key) else {
                return
            }
            let status = await provider.query(charge.request.paymentID)
            step = .after(status, of: charge, now: time.now(), deadline: configuration.purchasingDeadline)
            calls.append("asked about the charge: \(step.text)")
        }
        if case .charge = step {
            let outcome = await provider.charge(charge.request, unless: isTooLate(for: charge, isNew: isNew))
            step = .after(outcome, of: charge, now: time.now(), deadline: configuration.purchasingDeadline)
            calls.append("asked to charge: \(step.text)")
        }
        switch step {
        case .settle(let outcome):
            let receipt = signAhead(job, outcome)
            try await settle(charge.key, outcome, isCounted: !isNew, after: calls, signedAhead: receipt)
        case .retry(let date):
            try await postpone(charge.key, to: date, isCounted: !isNew, after: calls)
        case .charge:
            assertionFailure("The provider's answer to a charge never asks for another charge.")
        }
    }

    /// Asked right before the provider is called: whether it may have forgotten an earlier call for the charge or refund.
    func isTooLate(for call: some ProviderCall & Sendable, isNew: Bool) -> @Sendable () -> Bool {
        { [time, deadline = configuration.purchasingDeadline] in
            !isNew && ChargeStep.mayBeForgotten(call, now: time.now(), deadline: deadline)
        }
    }

    /// Counts a question before it is asked, with the wait that would follow it: so a process that ends before the answer
    /// leaves the next one the same wait, however often processes end.
    ///
    /// - Returns: Whether there is something to ask about.
    private func lease(_ key: Int64) async throws(TillError) -> Bool {
        try await commit(isOwn: true) { context in
            guard var current = try context.ledger.charge(key: key), current.state == .open else {
                return .success(false)
            }
            current.dueAt = ChargeStep.nextQuestion(after: current.attempts, now: context.now)
            current.attempts += 1
            try context.save(current, wasOpen: true)
            return .success(true)
        }
    }

    /// - Parameter isCounted: Whether the call was counted before it was made.
    private func postpone(
        _ key: Int64,
        to date: Date,
        isCounted: Bool,
        after calls: [String]
    ) async throws(TillError) {
        try await commit(isOwn: true) { context in
            guard var current = try context.ledger.charge(key: key), current.state == .open else {
                return .success(())
            }
            try Self.note(calls, of: current, context)
            current.attempts += isCounted ? 0 : 1
            current.dueAt = date
            try context.save(current, wasOpen: true)
            return .success(())
        }
    }

    /// Stores the provider's answer, unless another one was stored before: a provider may answer twice.
    ///
    /// - Parameter isCounted: Whether the call was counted before it was made, or none was made.
    func settle(
        _ key: Int64,
        _ outcome: DefiniteOutcome,
        isCounted: Bool = true,
        after calls: [String] = [],
        signedAhead: SignedAhead? = nil
    ) async throws(TillError) {
        try await commit(isOwn: true) { context in
            guard var charge = try context.ledger.charge(key: key), charge.state == .open else {
                return .success(())
            }
            try Self.note(calls, of: charge, context)
            charge.attempts += isCounted ? 0 : 1
            charge.settle(outcome)
            if charge.transactionKey == nil {
                try context.save(charge)
                try self.settleRenewal(charge, outcome, &context)
            } else if var purchase = try self.purchase(of: charge, context) {
                purchase.signedAhead = signedAhead
                try self.settle(purchase, outcome, &context)
            }
            return .success(())
        }
    }

    /// Notes what the provider was asked and said, once there is a transaction whose history it is.
    private static func note(_ calls: [String], of charge: ChargeRecord, _ context: CommandContext) throws {
        guard let key = charge.transactionKey else {
            return
        }
        for call in calls {
            try context.note(key, kind: .providerCall, call)
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
