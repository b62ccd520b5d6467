import FoundationEssentials
import TillModel

#if MUTANTS
    import Mutants
#endif

/// What is said to the provider about one charge, from looking at it to its next stored state.
struct ChargeDialogue {
    private var charge: ChargeRecord
    /// The reference of the payment that the charge renews.
    private let previous: String?
    private let calls: ProviderCalls
    private var notes: [String] = []
    /// Whether the provider said that the payer has to act.
    private var needsPayer = false

    init(_ charge: ChargeRecord, renewing previous: String?, _ calls: ProviderCalls) {
        self.charge = charge
        self.previous = previous
        self.calls = calls
    }

    /// - Parameters:
    ///   - isNew: Whether the provider has certainly not been called for the charge.
    ///   - store: Stores the name of the prepared charge; false if it may not be charged by that name.
    /// - Returns: The step to store; nil if the charge was settled or named by somebody else.
    mutating func run(
        isNew: Bool,
        store: (_ reference: String) async throws(TillError) -> Bool
    ) async throws(TillError) -> ChargeStep? {
        guard var step = try await begin(isNew: isNew, store: store) else {
            return nil
        }
        if case .charge = step {
            step = await makeCharge(isFirst: isNew && charge.isForgettable)
        }
        if needsPayer, charge.isUnpaidRenewal {
            return await withdrawFromPayer(orElse: step)
        }
        if case .withdraw = step {
            step = await withdraw()
        }
        return step
    }

    private mutating func withdraw() async -> ChargeStep {
        let step = ChargeStep.after(
            withdrawal: await calls.provider.withdraw(charge.request, by: reference),
            now: now
        )
        notes.append("asked to withdraw the charge: \(step.text)")
        return step
    }

    /// Ends a renewal that its payer would have to pay: nobody asks for it, and the payment method cannot pay alone.
    ///
    /// - Parameter step: A wait for the payer, which continues if the provider does not withdraw the charge now; or a
    ///   withdrawal, because the deadline has passed.
    private mutating func withdrawFromPayer(orElse step: ChargeStep) async -> ChargeStep {
        switch (await withdraw(), step) {
        case (.settle(.declined), _): .settle(.declined(Self.payerNeeded))
        case (.settle(.abandoned), .wait): step
        case (let withdrawal, _): withdrawal
        }
    }

    private static let payerNeeded = PaymentError(
        .unknown,
        "The payer would have to confirm the renewal, and nothing was charged.",
        retry: .never,
        reason: .providerDeclined
    )

    /// Prepares a charge that has to be prepared, or asks about one that may have been made.
    private mutating func begin(
        isNew: Bool,
        store: (_ reference: String) async throws(TillError) -> Bool
    ) async throws(TillError) -> ChargeStep? {
        #if MUTANTS
            var request = charge.request
            if Mutant.newReferenceOnRetry.isPlanted, !isNew {
                charge.reference = nil
                request.paymentID = .version7()
            }
        #else
            let request = charge.request
        #endif
        if calls.provider.preparesCharges, charge.reference == nil {
            let preparation = await calls.provider.prepare(request, renewing: previous)
            let step = ChargeStep.after(preparation, of: charge, now: now, deadline: calls.preparationDeadline)
            guard case .ready(let reference) = preparation else {
                notes.append("asked to prepare the charge: \(step.text)")
                return step
            }
            guard try await store(reference) else {
                return nil
            }
            charge.reference = reference
            notes.append("prepared the charge, as \(reference)")
            return step
        }
        guard !isNew else {
            return .charge
        }
        let status = await calls.provider.query(request, by: reference)
        needsPayer = status == .settled(.payerAction)
        let step = ChargeStep.after(status, of: charge, now: now, deadline: calls.deadline)
        notes.append("asked about the charge: \(step.text)")
        return step
    }

    /// - Parameter isFirst: Whether the provider has certainly not been called for the charge, which nothing can make late.
    private mutating func makeCharge(isFirst: Bool) async -> ChargeStep {
        let isTooLate = charge.latenessCheck(isNew: isFirst, calls.time, deadline: calls.deadline)
        let outcome = await calls.provider.charge(charge.request, by: reference, unless: isTooLate)
        needsPayer = outcome == .payerAction
        let step = ChargeStep.after(outcome, of: charge, now: now, deadline: calls.deadline)
        notes.append("asked to charge: \(step.text)")
        return step
    }

    /// What was said so far.
    var talk: ProviderTalk {
        ProviderTalk(charge: charge.key, name: charge.reference, notes: notes)
    }

    private var reference: String {
        charge.reference ?? charge.request.paymentID.text
    }

    private var now: Date {
        calls.time.now()
    }
}

/// What was said to the provider about a charge.
struct ProviderTalk: Sendable {
    /// The charge's key.
    var charge: Int64
    /// The name of the prepared charge that it was about; nil if none was prepared.
    var name: String?
    /// The calls and what they led to, for the history.
    var notes: [String]

    /// The charge as it is stored, if the answer is still about it. In a shared ledger, another host may have settled it in
    /// the meantime, or prepared it under a name: then an answer about a charge without a name says nothing of what can be paid.
    func openCharge(_ context: CommandContext) throws -> ChargeRecord? {
        guard let stored = try context.ledger.charge(key: charge), stored.state == .open, stored.reference == name
        else {
            return nil
        }
        return stored
    }
}
