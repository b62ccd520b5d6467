package import FoundationEssentials
import NIOConcurrencyHelpers
package import TillEngine
package import TillModel

/// A provider that a test controls, and that counts its charges.
package final class ScriptedProvider: KeyedProvider {
    package enum Answer: Sendable {
        case succeed, decline, declineForGood, timeOutBefore, timeOutAfter
    }

    private struct State {
        var answers: [String: [Answer]] = [:]
        var isReachable = true
        var charges: [UUID: Int] = [:]
        var amounts: [ProviderCharge] = []
        /// What the record is next read as, once each.
        var oldRecords: [ProviderRecordPage] = []
        /// How often the record cannot be read.
        var recordFailures = 0
        var refundAnswers: [Answer] = []
        var refunds: [UUID: ProviderRefundRequest] = [:]
        var recordsRefunds = false
        var calls: [String] = []
        var restoreError: PaymentError?

        mutating func carryOut(_ request: ProviderRefundRequest) {
            refunds[request.refundID] = request
            if recordsRefunds, let index = amounts.firstIndex(where: { $0.paymentID == request.paymentID }) {
                amounts[index].refunded += request.amount
            }
        }

        mutating func carryOut(_ request: ChargeRequest) {
            charges[request.paymentID, default: 0] += 1
            amounts.append(
                ProviderCharge(
                    paymentID: request.paymentID,
                    amount: request.amount,
                    currency: request.currency,
                    reference: "ref-\(request.paymentID.text)"
                )
            )
        }
    }

    private let state = NIOLockedValueBox(State())
    private let failures = AsyncStream.makeStream(of: TillError.self, bufferingPolicy: .bufferingNewest(1))

    package init() {}

    /// Makes the first engine that uses the provider fail.
    package func fail(with error: TillError) {
        failures.continuation.yield(error)
    }

    package func run() async throws {
        for await error in failures.stream {
            throw error
        }
    }

    /// Sets the answers to the next charges of a product. Later charges, and those of other products, succeed.
    package func script(_ product: String, _ answers: [Answer]) {
        state.withLockedValue { $0.answers[product] = answers }
    }

    /// Sets the answers to the next refunds. Later refunds succeed.
    package func scriptRefunds(_ answers: [Answer]) {
        state.withLockedValue { $0.refundAnswers = answers }
    }

    /// Includes refunds in the record of charges from now on.
    package func noteRefundsInRecord() {
        state.withLockedValue { $0.recordsRefunds = true }
    }

    /// The record as it is now, to be read later.
    package var recordNow: ProviderRecordPage {
        state.withLockedValue { ProviderRecordPage(charges: $0.amounts) }
    }

    /// Has the record next read as it was once, and then as it is.
    package func scriptRecords(_ pages: [ProviderRecordPage]) {
        state.withLockedValue { $0.oldRecords = pages }
    }

    /// Loses the record of charges.
    package func forgetRecord() {
        state.withLockedValue { $0.amounts = [] }
    }

    package func setReachable(_ isReachable: Bool) {
        state.withLockedValue { $0.isReachable = isReachable }
    }

    package func refuseRestores(with error: PaymentError) {
        state.withLockedValue { $0.restoreError = error }
    }

    /// The number of charges, by payment.
    package var charges: [UUID: Int] {
        state.withLockedValue { $0.charges }
    }

    /// The refund requests that were executed, by refund.
    package var refunds: [UUID: ProviderRefundRequest] {
        state.withLockedValue { $0.refunds }
    }

    /// The calls in order: `charge`, `query`, `refund` and `queryRefund`.
    package var calls: [String] {
        state.withLockedValue { $0.calls }
    }

    package func charge(_ request: ChargeRequest) async -> ChargeOutcome {
        state.withLockedValue { state in
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
            case .declineForGood:
                return .declined(PaymentError(.unknown, "Lost.", retry: .never, providerCode: "lost_card"))
            case .timeOutBefore:
                return .unknown(reason: "timed out")
            case .timeOutAfter:
                state.carryOut(request)
                return .unknown(reason: "timed out")
            case .succeed:
                state.carryOut(request)
                return .succeeded(reference: "ref-\(request.paymentID.text)")
            }
        }
    }

    package func query(_ paymentID: UUID) async -> ChargeStatus {
        state.withLockedValue { state in
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

    package func refund(_ request: ProviderRefundRequest) async -> ChargeOutcome {
        state.withLockedValue { state in
            state.calls.append("refund")
            guard state.isReachable else {
                return .unknown(reason: "unreachable")
            }
            let answer = state.refundAnswers.isEmpty ? .succeed : state.refundAnswers.removeFirst()
            switch answer {
            case .decline, .declineForGood:
                return .declined(PaymentError(.unknown, "Declined.", providerCode: "refund_declined"))
            case .timeOutBefore:
                return .unknown(reason: "timed out")
            case .timeOutAfter:
                state.carryOut(request)
                return .unknown(reason: "timed out")
            case .succeed:
                state.carryOut(request)
                return .succeeded(reference: "refund-\(request.refundID.text)")
            }
        }
    }

    package func queryRefund(_ refundID: UUID) async -> ChargeStatus {
        state.withLockedValue { state in
            state.calls.append("queryRefund")
            guard state.isReachable else {
                return .unreachable(reason: "unreachable")
            }
            guard state.refunds[refundID] != nil else {
                return .notFound
            }
            return .settled(.succeeded(reference: "refund-\(refundID.text)"))
        }
    }

    /// Lets the next readings of the record fail.
    package func failRecords(_ count: Int) {
        state.withLockedValue { $0.recordFailures = count }
    }

    private func takeRecordFailure() -> Bool {
        state.withLockedValue { state in
            state.recordFailures -= 1
            return state.recordFailures >= 0
        }
    }

    package func record(after cursor: String?) async throws(TillError) -> ProviderRecordPage {
        guard !takeRecordFailure() else {
            throw TillError(.unavailable, "The record cannot be read.")
        }
        return state.withLockedValue { state in
            guard state.oldRecords.isEmpty else {
                return state.oldRecords.removeFirst()
            }
            return ProviderRecordPage(state.amounts, after: cursor, limit: 100)
        }
    }

    package func authorizeRestore(application: String, account: String) async -> PaymentError? {
        state.withLockedValue { $0.restoreError }
    }
}
