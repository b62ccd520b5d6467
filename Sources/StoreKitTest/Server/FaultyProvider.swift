import Foundation
import NIOConcurrencyHelpers
import TillEngine
import TillModel
import TillProviders

/// The simulated provider of a session, with injected faults.
final class FaultyProvider: KeyedProvider, AdjustableProvider {
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

    func record(after cursor: String?) async throws(TillError) -> ProviderRecordPage {
        try await provider.record(after: cursor)
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

/// Decides which calls of the provider fail.
struct FaultPlan: Sendable {
    private let faults: [SKTestFault]
    /// The number of matching calls of each fault.
    private var counts: [Int]
    private var random: SeededRandom

    init(_ faults: [SKTestFault] = [], seed: UInt64 = 0) {
        self.faults = faults
        counts = faults.map { _ in 0 }
        random = SeededRandom(seed)
    }

    /// Counts a call and returns the stage at which it fails, according to the first matching fault.
    mutating func stage(of operation: SKTestFault.Operation, productIdentifier: String?) -> SKTestFault.Stage? {
        var stage: SKTestFault.Stage?
        for (index, fault) in faults.enumerated()
        where fault.operation == operation && fault.concerns(productIdentifier) {
            counts[index] += 1
            // A number is drawn for every call, so that the faults do not influence each other.
            let isDrawn = Double.random(in: 0..<1, using: &random) < fault.probability
            if stage == nil, isDrawn, fault.calls?.contains(counts[index]) ?? true {
                stage = fault.stage
            }
        }
        return stage
    }
}

extension SKTestFault {
    fileprivate func concerns(_ product: String?) -> Bool {
        productIdentifier == nil || productIdentifier == product
    }
}

/// A deterministic random number generator, SplitMix64 (https://prng.di.unimi.it/splitmix64.c).
struct SeededRandom: RandomNumberGenerator, Sendable {
    private var state: UInt64

    init(_ seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

extension Duration {
    /// The given number of seconds, limited to the range from zero to the furthest that a clock can be advanced at
    /// once.
    init(clamping seconds: TimeInterval) {
        let maximum = ClockReading.advanceMaximum / .seconds(1)
        self = seconds > 0 ? .seconds(min(seconds, maximum)) : .zero
    }
}
