import FoundationEssentials
import Testing
import TillEngine
import TillModel
import TillTesting

@Suite struct FinishingTests {
    @Test func finishingTwiceIsHarmless() async throws {
        try await EngineHarness().run { harness in
            let bought = try await harness.buy("coins")
            let first = try await harness.engine.finishTransaction(bought.id, in: EngineHarness.notes)
            let second = try await harness.engine.finishTransaction(bought.id, in: EngineHarness.notes)
            #expect(first == second)
            #expect(first > bought.revision)
        }
    }

    @Test func aFinishedTransactionIsNeverDeliveredAgain() async throws {
        try await EngineHarness().run { harness in
            let bought = try await harness.own("coins")
            let events = try await harness.events(after: nil) { $0.last == .initialDeliveryEnded }
            #expect(!events.contains { $0.transaction?.id == bought.id })
        }
    }

    @Test func aPurchasingTransactionCannotBeFinished() async throws {
        let harness = EngineHarness()
        harness.provider.script("coins", [.timeOutBefore])
        try await harness.run { harness in
            let payment = Payment(productID: "coins")
            _ = try await harness.engine.addPayment(payment, to: EngineHarness.notes)
            let error = await expect(.failedPrecondition) {
                _ = try await harness.engine.finishTransaction(payment.id, in: EngineHarness.notes)
            }
            #expect(error?.message.contains("purchasing") == true)
            try await harness.advance(until: payment.id)
        }
    }

    @Test func anUnknownTransactionIsNotFound() async throws {
        try await EngineHarness().run { harness in
            await expect(.notFound) {
                _ = try await harness.engine.finishTransaction(UUID(), in: EngineHarness.notes)
            }
        }
    }

    @Test func aListComesInPages() async throws {
        try await EngineHarness().run { harness in
            var bought: [UUID] = []
            for _ in 0..<5 {
                bought.append(try await harness.buy("coins").id)
            }
            _ = try await harness.own("coins")
            var listed: [UUID] = []
            var token: UInt64? = 0
            while let next = token {
                let (page, following) = try await harness.engine.transactions(
                    in: EngineHarness.notes,
                    token: next,
                    includeFinished: false,
                    limit: 2
                )
                listed += page.map(\.id)
                token = following
            }
            #expect(listed == bought)
            await expect(.invalidArgument) {
                _ = try await harness.engine.transactions(
                    in: EngineHarness.notes,
                    token: 0,
                    includeFinished: true,
                    limit: 65
                )
            }
            await expect(.invalidArgument) {
                _ = try await harness.engine.transactions(
                    in: EngineHarness.notes,
                    token: .max,
                    includeFinished: true,
                    limit: 2
                )
            }
        }
    }
}
