import Foundation
import Testing
import TillEngine
import TillModel
import TillProviders
import TillTesting

@Suite struct SimulatedRefundTests {
    @Test func aRefundIsGivenOnceHoweverOftenItIsAsked() async throws {
        try await inTemporaryDirectory { directory in
            let provider = try SimulatedProvider(directory: directory, faults: SimulatedFaults())
            let charge = SimulatedProviderTests.request("coins")
            _ = await provider.charge(charge)
            let refund = Self.refund(of: charge, 40)
            let outcomes = await withTaskGroup(of: ChargeOutcome.self) { group in
                for _ in 0..<20 {
                    group.addTask { await provider.refund(refund) }
                }
                return await group.reduce(into: Set()) { $0.insert($1) }
            }
            #expect(outcomes == [.succeeded(reference: "sim_refund_\(refund.refundID.text)")])
            let recorded = try SimulatedRecord.charges(in: directory)
            #expect(recorded.map(\.refunded) == [40])
        }
    }

    @Test func noMoreIsRefundedThanWasPaid() async throws {
        try await inTemporaryDirectory { directory in
            let provider = try SimulatedProvider(directory: directory, faults: SimulatedFaults())
            let charge = SimulatedProviderTests.request("coins")
            _ = await provider.charge(charge)
            let outcomes = await withTaskGroup(of: ChargeOutcome.self) { group in
                for _ in 0..<50 {
                    group.addTask { await provider.refund(Self.refund(of: charge, 20)) }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            let given = outcomes.count { outcome in
                if case .succeeded = outcome { true } else { false }
            }
            #expect(given == 4)
            let recorded = try SimulatedRecord.charges(in: directory)
            #expect(recorded.map(\.refunded) == [80])
        }
    }

    @Test func refundsOutliveTheProcess() async throws {
        try await inTemporaryDirectory { directory in
            let charge = SimulatedProviderTests.request("coins")
            let refund = Self.refund(of: charge, 99)
            let first = try SimulatedProvider(directory: directory, faults: SimulatedFaults())
            _ = await first.charge(charge)
            _ = await first.refund(refund)
            let second = try SimulatedProvider(directory: directory, faults: SimulatedFaults())
            let reference = "sim_refund_\(refund.refundID.text)"
            #expect(await second.queryRefund(refund.refundID) == .settled(.succeeded(reference: reference)))
            #expect(await second.queryRefund(UUID()) == .notFound)
            guard case .declined(let error) = await second.refund(Self.refund(of: charge, 1)) else {
                Issue.record("More was given back than was paid.")
                return
            }
            #expect(error.providerCode == "amount_too_large")
        }
    }

    @Test func aRefundOfAnUnknownChargeIsDeclined() async throws {
        try await inTemporaryDirectory { directory in
            let provider = try SimulatedProvider(directory: directory, faults: SimulatedFaults())
            let charge = SimulatedProviderTests.request("coins")
            guard case .declined = await provider.refund(Self.refund(of: charge, 1)) else {
                Issue.record("Money was given back that was never paid.")
                return
            }
        }
    }

    @Test func refundsFailAsSet() async throws {
        try await inTemporaryDirectory { directory in
            let provider = try SimulatedProvider(directory: directory, faults: SimulatedFaults())
            let charge = SimulatedProviderTests.request("coins")
            _ = await provider.charge(charge)
            try provider.changeSetting("provider-decline-refund", to: "coins")
            guard case .declined = await provider.refund(Self.refund(of: charge, 1)) else {
                Issue.record("The refund was not declined.")
                return
            }
            try provider.changeSetting("provider-decline-refund", to: nil)
            try provider.changeSetting("provider-timeout-after", to: "coins")
            let refund = Self.refund(of: charge, 1)
            #expect(await provider.refund(refund) == .unknown(reason: "the provider timed out"))
            let reference = "sim_refund_\(refund.refundID.text)"
            #expect(await provider.queryRefund(refund.refundID) == .settled(.succeeded(reference: reference)))
            try provider.changeSetting("provider-unreachable", to: "coins")
            let unreachable = ChargeStatus.unreachable(reason: "the provider does not answer")
            #expect(await provider.queryRefund(refund.refundID) == unreachable)
        }
    }

    private static func refund(of charge: ChargeRequest, _ amount: Int64) -> ProviderRefundRequest {
        ProviderRefundRequest(
            refundID: .version7(),
            paymentID: charge.paymentID,
            charge: "simulated-1",
            amount: amount,
            currency: charge.currency
        )
    }
}
