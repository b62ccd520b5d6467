import FoundationEssentials
import Testing
import TillEngine
import TillMemoryLedger
import TillModel
import TillTesting

@Suite struct InterruptionTests {
    static let someone = OperatorIdentity(uid: 0, reason: "the terms were accepted")

    @Test func anInterruptedPurchaseFailsAndAnotherTransactionContinuesIt() async throws {
        let ledger = MemoryLedger()
        let time = VirtualTime()
        let payment = Payment(productID: "coins", quantity: 3, applicationUsername: "anna")
        try await EngineHarness(ledger: ledger, time: time).run { harness in
            harness.changeStore { $0.interruptsPurchases = true }
            let failed = try await harness.engine.addPayment(payment, to: EngineHarness.notes)
            #expect(failed.state == .failed)
            #expect(failed.error?.code == .paymentCancelled)
            #expect(failed.error?.reason == .interrupted)
            #expect(failed.error?.moneyMoved == .no)
            _ = try await harness.engine.finishTransaction(payment.id, in: EngineHarness.notes)
        }
        // Even if the application and the daemon were away in between.
        try await EngineHarness(ledger: ledger, time: time).run { harness in
            let begun = try await harness.engine.resolve(payment.id, review: nil, by: Self.someone)
            #expect(begun.continues == payment.id)
            #expect(begun.state == .purchased, "the answer waits for the provider's")
            let final = try await harness.final(begun.id)
            #expect(final.state == .purchased)
            #expect(final.payment.quantity == 3)
            #expect(final.payment.applicationUsername == "anna")
            #expect(harness.provider.charges == [begun.id: 1])
            await expect(.failedPrecondition) {
                _ = try await harness.engine.resolve(payment.id, review: nil, by: Self.someone)
            }
        }
    }

    @Test func aPurchaseMayWaitForItsInterruptionAsOneTransaction() async throws {
        try await EngineHarness().run { harness in
            harness.changeStore { settings in
                settings.interruptsPurchases = true
                settings.defersInterruptedPurchases = true
            }
            let payment = Payment(productID: "pro")
            let deferred = try await harness.engine.addPayment(payment, to: EngineHarness.notes)
            #expect(deferred.state == .deferred)
            #expect(deferred.blocker == .resolution)
            let resolved = try await harness.engine.resolve(payment.id, review: nil, by: Self.someone)
            #expect(resolved.id == payment.id)
            let final = try await harness.final(payment.id)
            #expect(final.state == .purchased)
            #expect(final.continues == nil)
            #expect(harness.provider.charges == [payment.id: 1])
        }
    }

    @Test func anInterruptionComesAfterTheUsersConsent() async throws {
        try await EngineHarness().run { harness in
            harness.changeStore { settings in
                settings.interruptsPurchases = true
                settings.authorizationPolicy = .wait
            }
            let payment = Payment(productID: "coins")
            let added = try await harness.engine.addPayment(payment, to: EngineHarness.notes)
            #expect(added.blocker == .authorization)
            let user = Approver(uid: 1000, account: "uid:1000", approvesForOthers: false)
            try await harness.engine.answer(payment.id, kind: .purchase, approves: true, reason: "", by: user)
            let failed = try await harness.final(payment.id)
            #expect(failed.error?.reason == .interrupted)
        }
    }
}
