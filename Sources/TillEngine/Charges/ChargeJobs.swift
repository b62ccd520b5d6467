import FoundationEssentials
import TillModel

#if MUTANTS
    import Mutants
#endif

/// A charge to be sent.
struct ChargeJob: Sendable {
    var charge: ChargeRecord
    /// The transaction that it is for, as stored with it. Nil for a renewal, and for a charge that was found in the
    /// ledger.
    var transaction: TransactionRecord?
}

extension ChargeRecord {
    /// How long after its commit a charge is left to the process that committed it, in seconds.
    static let lease = 5.0
}

/// Asks the provider for charges, and stores its answers.
final class ChargeJobs: Sendable {
    private let purchasing: Purchasing
    private let renewing: Renewing
    private let receipts: Receipts
    private let calls: ProviderCalls
    private let makeID: @Sendable () -> UUID
    private let underWay = CallsUnderWay<Int64>()

    init(
        _ purchasing: Purchasing,
        _ renewing: Renewing,
        _ calls: ProviderCalls,
        makeID: @escaping @Sendable () -> UUID
    ) {
        self.purchasing = purchasing
        self.renewing = renewing
        receipts = purchasing.completion.receipts
        self.calls = calls
        self.makeID = makeID
    }

    func run(_ runner: JobRunner<Int64, ChargeJob>) async throws {
        try await runner.run(
            find: { limit in
                let now = self.calls.time.now()
                let found = try await self.calls.access.ledger.read { ledger in
                    try Self.dueCharges(at: now, limit: limit, ledger)
                }
                return found.map { ChargeJob(charge: $0) }
            },
            perform: { job, isNew in
                try await self.calls.access.perform { () throws(TillError) in try await self.process(job, isNew: isNew)
                }
            }
        )
    }

    /// Hands over the charges that were left to the process that committed them, which is gone when this one starts: so
    /// it is called before this one commits any. Charges that were queried before keep the wait that was stored. In a shared
    /// ledger, another host may be at work on them.
    func takeOver(_ runner: JobRunner<Int64, ChargeJob>) async throws {
        guard !calls.access.ledger.isShared else {
            return
        }
        let end = calls.time.now().addingTimeInterval(ChargeRecord.lease)
        let due = try await calls.access.ledger.read { ledger in
            try ledger.dueCharges(at: end, limit: JobRunner<Int64, ChargeJob>.lookPage)
        }
        runner.takeOver(due.filter { $0.attempts == 0 }.map { ChargeJob(charge: $0) })
    }

    /// Due charges, and charges that lie too far ahead because the clock was set back.
    private static func dueCharges(at now: Date, limit: Int, _ ledger: any LedgerReader) throws -> [ChargeRecord] {
        let due = try ledger.dueCharges(at: now, limit: limit)
        let horizon = now.addingTimeInterval(ChargeStep.horizon)
        return due + (try ledger.charges(dueAfter: horizon, limit: limit - due.count))
    }

    /// Takes a charge to its next stored state, unless it is just being withdrawn.
    ///
    /// - Parameter isNew: Whether the provider has certainly not been called for it.
    private func process(_ job: ChargeJob, isNew: Bool) async throws(TillError) {
        guard underWay.begin(job.charge.key) else {
            return
        }
        defer { underWay.end(job.charge.key) }
        #if MUTANTS
            var charge = job.charge
            if Mutant.newIdempotencyKey.isPlanted, !isNew {
                charge.request.paymentID = makeID()
            }
        #else
            let charge = job.charge
        #endif
        if !isNew {
            guard try await lease(charge.key) else {
                return
            }
        }
        var dialogue = ChargeDialogue(charge, renewing: try await previousPayment(charge), calls)
        let step = try await dialogue.run(isNew: isNew) { (reference) async throws(TillError) in
            try await self.store(reference, of: charge.key)
        }
        switch step {
        case .settle(let outcome):
            let receipt = receipts.signAhead(job, outcome, at: calls.time.now().roundedToMilliseconds)
            try await settle(dialogue.talk, outcome, isCounted: !isNew, signedAhead: receipt)
        case .retry(let date):
            try await postpone(dialogue.talk, to: date, counting: isNew ? 1 : 0)
        case .wait(let reason, let date):
            // A query was counted before it was made.
            try await postpone(dialogue.talk, to: date, counting: isNew ? 0 : -1, for: reason)
        case .charge, .withdraw:
            assertionFailure("A dialogue ends with neither of its steps left.")
        case nil:
            break
        }
    }

    /// The reference of the payment that a charge to be prepared renews: the subscription's latest, or its first.
    private func previousPayment(_ charge: ChargeRecord) async throws(TillError) -> String? {
        guard calls.provider.preparesCharges, charge.reference == nil, let key = charge.subscriptionKey else {
            return nil
        }
        return try await calls.access.read { ledger in
            try ledger.subscription(key: key).flatMap { try ledger.lastPayment(of: $0) }
        }
    }

    /// Stores the name of a prepared charge, before it may be charged.
    ///
    /// - Returns: Whether the charge is open and has no other name.
    private func store(_ reference: String, of key: Int64) async throws(TillError) -> Bool {
        #if MUTANTS
            if Mutant.referenceNotStored.isPlanted {
                return true
            }
        #endif
        return try await calls.access.commit(isOwn: true, about: .key(key)) { context in
            guard var current = try context.ledger.charge(key: key), current.state == .open else {
                return .success(false)
            }
            #if MUTANTS
                if Mutant.newReferenceOnRetry.isPlanted {
                    current.reference = nil
                }
            #endif
            guard current.reference == nil || current.reference == reference else {
                return .success(false)
            }
            current.reference = reference
            try context.save(current, wasOpen: true)
            return .success(true)
        }
    }

    /// Counts a query before it is made, and stores the wait that would follow it, so that a process that ends before
    /// the answer leaves the same wait to the next one, however often processes end. Other hosts leave the charge alone
    /// until then.
    ///
    /// - Returns: Whether the charge is still open, and no other host has taken it.
    private func lease(_ key: Int64) async throws(TillError) -> Bool {
        let isShared = calls.access.ledger.isShared
        return try await calls.access.commit(isOwn: true, about: .key(key)) { context in
            guard var current = try context.ledger.charge(key: key), current.state == .open,
                !isShared || current.isDue(at: context.now)
            else {
                return .success(false)
            }
            current.dueAt = ChargeStep.nextQuestion(after: current.attempts, now: context.now)
            current.attempts += 1
            try context.save(current, wasOpen: true)
            return .success(true)
        }
    }

    /// - Parameters:
    ///   - change: What to add to the number of attempts.
    ///   - reason: What the charge waits for; nil for a clear answer.
    private func postpone(
        _ talk: ProviderTalk,
        to date: Date,
        counting change: Int,
        for reason: ChargeStep.Wait? = nil
    ) async throws(TillError) {
        try await calls.access.commit(isOwn: true, about: .key(talk.charge)) { context in
            guard var current = try talk.openCharge(context) else {
                return .success(())
            }
            let isNews = try reason.map { try self.purchasing.wait(for: $0, charge: current, &context) } ?? true
            if isNews {
                try Self.note(talk.notes, of: current, context)
            }
            current.attempts = max(0, current.attempts + change)
            current.dueAt = date
            try context.save(current, wasOpen: true)
            return .success(())
        }
    }

    /// Stores the provider's answer, unless another one was stored before: a provider may answer twice.
    ///
    /// - Parameters:
    ///   - isCounted: Whether the call was counted before it was made, or none was made.
    ///   - record: Stores why the charge is settled so, in the same commit.
    func settle(
        _ talk: ProviderTalk,
        _ outcome: DefiniteOutcome,
        isCounted: Bool = true,
        signedAhead: SignedAhead? = nil,
        recording record: @escaping @Sendable (inout CommandContext) throws -> Void = { _ in }
    ) async throws(TillError) {
        try await calls.access.commit(isOwn: true, about: .key(talk.charge)) { context in
            guard var charge = try talk.openCharge(context) else {
                return .success(())
            }
            try Self.note(talk.notes, of: charge, context)
            try record(&context)
            charge.attempts += isCounted ? 0 : 1
            charge.settle(outcome)
            if charge.transactionKey == nil {
                try context.save(charge)
                try self.renewing.settle(charge, outcome, &context)
            } else if var purchase = try self.purchasing.purchase(of: charge, context) {
                purchase.signedAhead = signedAhead
                try self.purchasing.settle(purchase, outcome, &context)
            }
            return .success(())
        }
    }

    /// Withdraws a charge that waits for its payer, and ends its payment: with the error, or as purchased if the payer
    /// had paid. It begins once no job is at work on the charge, and jobs leave the charge alone until it ends.
    ///
    /// Nothing is stored before the provider's answer. If the process ends between the two, the next query finds that the
    /// charge will never be made, and the payment fails.
    ///
    /// - Parameter record: Stores who withdrew it, in the commit in which the payment fails.
    /// - Throws: `unavailable` when the provider does not say whether it is withdrawn: nothing changed.
    func withdraw(
        _ key: Int64,
        failingWith error: PaymentError,
        recording record: @escaping @Sendable (inout CommandContext) throws -> Void
    ) async throws(TillError) {
        await underWay.beginInTurn(key)
        defer { underWay.end(key) }
        guard let charge = try await calls.access.read({ try Self.withdrawableCharge(key, $0) }),
            let reference = charge.reference
        else {
            return
        }
        let answer = await calls.provider.withdraw(charge.request, by: reference)
        let step = ChargeStep.after(withdrawal: answer, now: calls.time.now())
        let talk = ProviderTalk(
            charge: key,
            name: reference,
            notes: ["asked to withdraw the charge: \(step.text)"]
        )
        switch step {
        case .settle(.succeeded(let reference)):
            try await settle(talk, .succeeded(reference: reference))
        case .settle(.declined):
            try await settle(talk, .declined(error), recording: record)
        case .wait(let reason, let date):
            try await postpone(talk, to: date, counting: 0, for: reason)
        case .settle(.abandoned(let reason)):
            throw TillError(
                .unavailable,
                "The provider did not withdraw the charge (\(reason)), and nothing changed; try again later."
            )
        case .charge, .retry, .withdraw:
            assertionFailure("A withdrawal ends the charge, waits or fails.")
        }
    }

    private static func withdrawableCharge(_ key: Int64, _ ledger: any LedgerReader) throws -> ChargeRecord? {
        guard let charge = try ledger.charge(key: key),
            let transaction = try charge.transactionKey.flatMap({ try ledger.transaction(key: $0) })
        else {
            return nil
        }
        return charge.isWithdrawable(for: transaction) ? charge : nil
    }

    /// Notes the calls of the provider in the transaction's history, once the charge has a transaction.
    private static func note(_ notes: [String], of charge: ChargeRecord, _ context: CommandContext) throws {
        guard let key = charge.transactionKey else {
            return
        }
        for note in notes {
            try context.note(key, kind: .providerCall, note)
        }
    }
}
