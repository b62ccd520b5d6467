import FoundationEssentials
import TillModel

#if MUTANTS
    import Mutants
#endif

/// What is said to the provider about one charge, from looking at it to its next stored state.
struct ChargeDialogue {
    private var charge: ChargeRecord
    private let calls: ProviderCalls
    /// The calls and what they led to, for the history.
    private(set) var notes: [String] = []

    init(_ charge: ChargeRecord, _ calls: ProviderCalls) {
        self.charge = charge
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
        var step = ChargeStep.charge
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
            let preparation = await calls.provider.prepare(request)
            step = .after(preparation, of: charge, now: now, deadline: calls.preparationDeadline)
            if case .ready(let reference) = preparation {
                guard try await store(reference) else {
                    return nil
                }
                charge.reference = reference
                notes.append("prepared the charge, as \(reference)")
            } else {
                notes.append("asked to prepare the charge: \(step.text)")
            }
        } else if !isNew {
            step = .after(
                await calls.provider.query(charge.request, by: reference),
                of: charge,
                now: now,
                deadline: calls.deadline
            )
            notes.append("asked about the charge: \(step.text)")
        }
        if case .charge = step {
            let isFirst = isNew && charge.isForgettable
            let isTooLate = charge.latenessCheck(isNew: isFirst, calls.time, deadline: calls.deadline)
            let outcome = await calls.provider.charge(charge.request, by: reference, unless: isTooLate)
            step = .after(outcome, of: charge, now: now, deadline: calls.deadline)
            notes.append("asked to charge: \(step.text)")
        }
        if case .withdraw = step {
            notes.append("asked to withdraw the charge: \(step.text)")
            step = .after(withdrawal: await calls.provider.withdraw(charge.request, by: reference))
            notes.append("the withdrawal: \(step.text)")
        }
        return step
    }

    private var reference: String {
        charge.reference ?? charge.request.paymentID.text
    }

    private var now: Date {
        calls.time.now()
    }
}
