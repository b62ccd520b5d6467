import FoundationEssentials
import Testing
@testable import TillEngine
import TillModel
import TillTesting

/// Charges that need a review because the provider could not be reached at their deadline.
@Suite(.timeLimit(.minutes(5))) struct ReviewJobTests {
    struct Answer: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// What happened at the provider in the meantime.
        var end: PreparingProvider.Answer?
        var charge: ChargeRecord.State
    }

    private static func hurry(_ configuration: inout EngineConfiguration) {
        configuration.purchasingDeadline = .seconds(600)
    }

    @Test(arguments: [
        Answer(testDescription: "was paid", end: .succeed, charge: .succeeded),
        Answer(testDescription: "was declined", end: .decline, charge: .declined),
        Answer(testDescription: "still waits, and is withdrawn", charge: .declined),
        Answer(testDescription: "is on its way", end: .pending, charge: .needsReview),
    ])
    func theProviderIsAskedAgainEveryHour(_ answer: Answer) async throws {
        let provider = PreparingProvider(asksPayer: true)
        try await EngineHarness(preparing: provider, configure: Self.hurry).run { harness in
            let payment = try await harness.paymentWaitingForPayer(provider)
            provider.setReachable(false)
            try await harness.advance(until: payment.id)
            #expect(try await harness.charges().map(\.state) == [.needsReview])
            answer.end.map { provider.settle("prepared-0", $0) }
            provider.setReachable(true)
            let before = provider.calls.count
            while provider.calls.count == before {
                harness.time.advance(by: 60)
                try await Task.yieldUnlessCancelled()
            }
            if answer.charge == .needsReview {
                return
            }
            while try await harness.charges().first?.state == .needsReview {
                try await Task.yieldUnlessCancelled()
            }
            #expect(try await harness.charges().map(\.state) == [answer.charge])
            let owned = try await harness.ledger.read { ledger in
                try ledger.transactions(matching: TransactionFilter(state: .purchased), afterKey: 0, limit: 9)
            }
            #expect(owned.map(\.continues) == (answer.charge == .succeeded ? [payment.id] : []))
            #expect(owned.first?.payment.productID == (answer.charge == .succeeded ? "coins" : nil))
            #expect(try await harness.final(payment.id).state == .failed, "the failed transaction is final")
        }
    }

    /// Only a charge with a name of its own can be asked about after a day.
    @Test func aProviderWithoutNamesIsNotAsked() async throws {
        try await EngineHarness(configure: Self.hurry).run { harness in
            harness.provider.script("coins", Array(repeating: .timeOutBefore, count: 9_999))
            let payment = Payment(productID: "coins")
            _ = try await harness.engine.addPayment(payment, to: EngineHarness.notes)
            try await harness.advance(until: payment.id)
            #expect(try await harness.charges().map(\.state) == [.needsReview])
            let calls = harness.provider.calls.count
            for _ in 0..<100 {
                harness.time.advance(by: 3600)
                try await Task.yieldUnlessCancelled()
            }
            #expect(harness.provider.calls.count == calls)
        }
    }
}
