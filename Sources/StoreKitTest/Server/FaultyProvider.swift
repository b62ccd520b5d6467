import Foundation
import NIOConcurrencyHelpers
import TillEngine
import TillModel
import TillProviders

/// The simulated provider of a session, with injected faults.
final class FaultyProvider: AdjustableProvider {
    private let provider: SimulatedProvider
    private let plan = NIOLockedValueBox(FaultPlan())
    /// The products by payment, for refunds.
    private let products = NIOLockedValueBox<[UUID: String]>([:])
    let sleeping: SleepingCalls

    init(time: any TimeSource) {
        provider = SimulatedProvider(time: time)
        sleeping = SleepingCalls(time: time)
    }

    /// Replaces the plan, with immediate effect.
    func follow(_ plan: FaultPlan) {
        self.plan.withLockedValue { $0 = plan }
    }

    func charge(_ request: ChargeRequest) async -> ChargeOutcome {
        products.withLockedValue { $0[request.paymentID] = request.productID }
        return await carryOut(.charge, of: request.productID) { await self.provider.charge(request) }
    }

    func query(_ paymentID: UUID) async -> ChargeStatus {
        await provider.query(paymentID)
    }

    func refund(_ request: ProviderRefundRequest) async -> ChargeOutcome {
        let product = products.withLockedValue { $0[request.paymentID] }
        return await carryOut(.refund, of: product) { await self.provider.refund(request) }
    }

    func queryRefund(_ refundID: UUID) async -> ChargeStatus {
        await provider.queryRefund(refundID)
    }

    func recordedCharges(from offset: Int, limit: Int) async throws(TillError) -> [ProviderCharge] {
        try await provider.recordedCharges(from: offset, limit: limit)
    }

    func authorizeRestore(application: String, account: String) async -> PaymentError? {
        let refusal = PaymentError(
            .cloudServiceNetworkConnectionFailed,
            "The session is set to fail restores.",
            reason: .simulated
        )
        switch stage(of: .restore, nil) {
        case nil:
            break
        case .slow(let seconds):
            guard await sleeping.sleep(for: Duration(clamping: seconds)) else {
                return refusal
            }
        case .declined, .beforeEffect, .afterEffect:
            return refusal
        }
        return await provider.authorizeRestore(application: application, account: account)
    }

    private func carryOut(
        _ operation: SKTestFault.Operation,
        of product: String?,
        _ effect: () async -> ChargeOutcome
    ) async -> ChargeOutcome {
        switch stage(of: operation, product) {
        case nil:
            return await effect()
        case .declined:
            return .declined(PaymentError(.unknown, "The session is set to decline.", reason: .providerDeclined))
        case .beforeEffect:
            return .unknown(reason: "the session is set to abort the call")
        case .afterEffect:
            let outcome = await effect()
            guard case .succeeded = outcome else {
                return outcome
            }
            return .unknown(reason: "the session is set to lose the answer")
        case .slow(let seconds):
            guard await sleeping.sleep(for: Duration(clamping: seconds)) else {
                return .unknown(reason: "the session's server was killed during the call")
            }
            return await effect()
        }
    }

    private func stage(of operation: SKTestFault.Operation, _ product: String?) -> SKTestFault.Stage? {
        plan.withLockedValue { $0.stage(of: operation, productIdentifier: product) }
    }
}

extension FaultyProvider {
    var settings: [Setting] {
        provider.settings
    }

    func checkSetting(_ name: String, _ value: String) throws(TillError) {
        try provider.checkSetting(name, value)
    }

    func changeSetting(_ name: String, to value: String?) throws(TillError) {
        try provider.changeSetting(name, to: value)
    }
}
