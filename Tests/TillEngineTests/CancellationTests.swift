import FoundationEssentials
import Testing
import TillEngine
import TillModel
import TillTesting

@Suite struct CancellationTests {
    @Test func aPaymentThatWasNotChargedCanBeTakenBack() async throws {
        try await EngineHarness().run { harness in
            let payment = Payment(productID: "coins", simulatesAskToBuyInSandbox: true)
            _ = try await harness.engine.addPayment(payment, to: EngineHarness.notes)
            let failed = try await harness.engine.cancelPayment(payment.id, in: EngineHarness.notes)
            #expect(failed.error?.code == .paymentCancelled)
            #expect(failed.error?.reason == .withdrawn)
            let again = try await harness.engine.cancelPayment(payment.id, in: EngineHarness.notes)
            #expect(again == failed, "repeating it is harmless")
            harness.time.advance(by: 25 * 3600)
            #expect(harness.provider.calls.isEmpty)
        }
    }

    @Test func aPaymentOfAnotherQueueCannotBeTakenBack() async throws {
        try await EngineHarness().run { harness in
            let payment = Payment(productID: "coins", simulatesAskToBuyInSandbox: true)
            _ = try await harness.engine.addPayment(payment, to: EngineHarness.notes)
            for name in [
                QueueName(application: "org.example.other", account: "uid:1000"),
                QueueName(application: EngineHarness.notes.application, account: "uid:1001"),
            ] {
                await expect(.notFound) { _ = try await harness.engine.cancelPayment(payment.id, in: name) }
            }
        }
    }

    @Test func theNextPaymentContinuesWhenTheWaitingOneIsCancelled() async throws {
        try await EngineHarness().run { harness in
            harness.provider.setReachable(false)
            let payments = [0, 1, 2].map { _ in Payment(productID: "pro") }
            for payment in payments {
                _ = try await harness.engine.addPayment(payment, to: EngineHarness.notes)
            }
            _ = try await harness.engine.cancelPayment(payments[1].id, in: EngineHarness.notes)
            harness.provider.setReachable(true)
            try await harness.advance(until: payments[2].id)
            let first = try await harness.final(payments[0].id)
            let last = try await harness.final(payments[2].id)
            #expect(first.state == .purchased)
            #expect(last.original?.id == first.id)
            #expect(harness.provider.charges == [first.id: 1])
        }
    }
}
