package import FoundationEssentials
import Synchronization
package import TillEngine
package import TillModel

/// A provider that answers as a test says, and keeps count of what it charged.
package final class ScriptedProvider: PaymentProvider {
    package enum Answer: Sendable {
        case succeed, decline, timeOutBefore, timeOutAfter
    }

    private struct State {
        var answers: [String: [Answer]] = [:]
        var isReachable = true
        var charges: [UUID: Int] = [:]
        var calls: [String] = []
        var restoreError: PaymentError?
    }

    private let state = Mutex(State())

    package init() {}

    /// The answers to the next charges of a product; after them, and for other products, charges succeed.
    package func script(_ product: String, _ answers: [Answer]) {
        state.withLock { $0.answers[product] = answers }
    }

    package func setReachable(_ isReachable: Bool) {
        state.withLock { $0.isReachable = isReachable }
    }

    package func refuseRestores(with error: PaymentError) {
        state.withLock { $0.restoreError = error }
    }

    /// How often money moved, by payment.
    package var charges: [UUID: Int] {
        state.withLock { $0.charges }
    }

    /// What was called, in order: `charge` and `query`.
    package var calls: [String] {
        state.withLock { $0.calls }
    }

    package func charge(_ request: ChargeRequest) async -> ChargeOutcome {
        state.withLock { state in
            state.calls.append("charge")
            guard state.isReachable else {
                return .unknown(reason: "unreachable")
            }
            var answers = state.answers[request.productID] ?? []
            let answer = answers.isEmpty ? .succeed : answers.removeFirst()
            state.answers[request.productID] = answers
            switch answer {
            case .decline:
                return .declined(PaymentError(.unknown, "Declined.", providerCode: "card_declined"))
            case .timeOutBefore:
                return .unknown(reason: "timed out")
            case .timeOutAfter:
                state.charges[request.paymentID, default: 0] += 1
                return .unknown(reason: "timed out")
            case .succeed:
                state.charges[request.paymentID, default: 0] += 1
                return .succeeded(reference: "ref-\(request.paymentID.text)")
            }
        }
    }

    package func query(_ paymentID: UUID) async -> ChargeStatus {
        state.withLock { state in
            state.calls.append("query")
            guard state.isReachable else {
                return .unreachable(reason: "unreachable")
            }
            guard state.charges[paymentID] != nil else {
                return .notFound
            }
            return .settled(.succeeded(reference: "ref-\(paymentID.text)"))
        }
    }

    package func authorizeRestore(application: String, account: String) async -> PaymentError? {
        state.withLock { $0.restoreError }
    }
}
