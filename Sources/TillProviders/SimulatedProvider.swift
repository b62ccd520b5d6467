import Dispatch
package import FoundationEssentials
import NIOConcurrencyHelpers
package import TillEngine
package import TillModel

/// A provider that moves no money: it charges at once, keeps a durable record of its own, and can be told to fail.
///
/// It knows every payment for ever, and charges for it at most once. All of the record is held in memory, about 300
/// bytes a charge.
package final class SimulatedProvider: PaymentProvider {
    private struct State {
        var record: SimulatedRecord
        var charges: [UUID: SimulatedCharge]
        /// Charges that wait for the next flush, and who waits for them.
        var unsaved: [SimulatedCharge] = []
        var waiting: [UUID: [CheckedContinuation<Bool, Never>]] = [:]
        /// Payments whose first charge has timed out.
        var timedOut: Set<UUID> = []
        var isBroken = false
    }

    private let faults: SimulatedFaults
    private let time: any TimeSource
    private let state: NIOLockedValueBox<State>
    private let queue = DispatchQueue(label: "till.simulated-provider")

    /// - Parameter directory: Where the record is kept; it has to exist.
    package init(directory: String, faults: SimulatedFaults, time: any TimeSource = SystemTime()) throws(TillError) {
        let (record, charges) = try SimulatedRecord.open(in: directory)
        self.faults = faults
        self.time = time
        let byPayment = Dictionary(charges.map { ($0.paymentID, $0) }, uniquingKeysWith: { first, _ in first })
        state = NIOLockedValueBox(State(record: record, charges: byPayment))
    }

    package func charge(_ request: ChargeRequest) async -> ChargeOutcome {
        let product = request.productID
        if faults.unreachable.contains(product) {
            return .unknown(reason: "the provider does not answer")
        }
        if faults.slow.contains(product) {
            try? await time.sleep(for: faults.delay)
        }
        if faults.declined.contains(product) {
            return .declined(
                PaymentError(.unknown, "The provider declined the payment.", providerCode: "card_declined")
            )
        }
        if faults.timeoutBeforeEffect.contains(product), timesOut(request.paymentID) {
            return .unknown(reason: "the provider timed out")
        }
        let charge = SimulatedCharge(request)
        guard await save(charge) else {
            return .unknown(reason: "the provider could not record the charge")
        }
        if faults.timeoutAfterEffect.contains(product), timesOut(request.paymentID) {
            return .unknown(reason: "the provider timed out")
        }
        return .succeeded(reference: charge.reference)
    }

    package func query(_ paymentID: UUID) async -> ChargeStatus {
        state.withLockedValue { state in
            guard let charge = state.charges[paymentID] else {
                return state.isBroken ? .unreachable(reason: "the provider's record cannot be written") : .notFound
            }
            guard !faults.unreachable.contains(charge.productID) else {
                return .unreachable(reason: "the provider does not answer")
            }
            return .settled(.succeeded(reference: charge.reference))
        }
    }

    package func authorizeRestore(application: String, account: String) async -> PaymentError? {
        guard faults.refusedRestores.contains(application) else {
            return nil
        }
        return PaymentError(.cloudServiceNetworkConnectionFailed, "The provider refused to restore purchases.")
    }

    private func timesOut(_ paymentID: UUID) -> Bool {
        state.withLockedValue { $0.timedOut.insert(paymentID).inserted }
    }

    /// Records the charge unless it is there already, and returns once it is durable; false when it could not be.
    private func save(_ charge: SimulatedCharge) async -> Bool {
        await withCheckedContinuation { continuation in
            let answer: Bool? = state.withLockedValue { state in
                guard state.charges[charge.paymentID] == nil else {
                    return true
                }
                guard !state.isBroken else {
                    return false
                }
                if state.waiting[charge.paymentID] == nil {
                    state.unsaved.append(charge)
                }
                state.waiting[charge.paymentID, default: []].append(continuation)
                return nil
            }
            if let answer {
                continuation.resume(returning: answer)
            } else {
                queue.async { self.flush() }
            }
        }
    }

    /// Writes all that wait with one flush. Runs on the provider's queue only.
    private func flush() {
        let (charges, record) = state.withLockedValue { state in
            defer { state.unsaved = [] }
            return (state.unsaved, state.record)
        }
        guard !charges.isEmpty else {
            return
        }
        let isSaved = (try? record.append(charges)) != nil
        let waiting = state.withLockedValue { state in
            if isSaved {
                charges.forEach { state.charges[$0.paymentID] = $0 }
            } else {
                // What is on the disk now is unknown; the next start reads it.
                state.isBroken = true
            }
            return charges.flatMap { state.waiting.removeValue(forKey: $0.paymentID) ?? [] }
        }
        waiting.forEach { $0.resume(returning: isSaved) }
    }
}
