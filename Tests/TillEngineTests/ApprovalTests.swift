import FoundationEssentials
import Testing
@testable import TillEngine
import TillMemoryLedger
import TillModel
import TillTesting

@Suite struct ApprovalTests {
    static let parent = Approver(uid: 1001, account: "uid:1001", approvesForOthers: true)

    @Test func askToBuyIsDeferredAtOnceAndChargedOnlyOnceApproved() async throws {
        try await EngineHarness().run { harness in
            let payment = Payment(productID: "coins", quantity: 2, simulatesAskToBuyInSandbox: true)
            let added = try await harness.engine.addPayment(payment, to: EngineHarness.notes)
            #expect(added.state == .deferred)
            #expect(added.blocker == .approval)
            #expect(added.deadline == harness.time.now().addingTimeInterval(24 * 3600))
            #expect(harness.provider.calls.isEmpty)
            let page = try await harness.engine.authorizationRequests(for: Self.parent, token: 0, limit: 32).page
            #expect(page.map(\.id) == [payment.id])
            #expect(page.first?.kind == .approval)
            #expect(page.first?.price == Price(amount: Decimal(string: "1.98") ?? 0, currency: "USD"))
            try await harness.engine.answer(payment.id, kind: .approval, approves: true, reason: "", by: Self.parent)
            let final = try await harness.final(payment.id)
            #expect(final.state == .purchased)
            #expect(harness.provider.charges == [payment.id: 1])
            let left = try await harness.engine.authorizationRequests(for: Self.parent, token: 0, limit: 32).page
            #expect(left.isEmpty)
        }
    }

    @Test func anApprovedPaymentStaysDeferredUntilTheProviderHasAnswered() async throws {
        let provider = GatedProvider(charges: Gate())
        try await EngineHarness(gated: provider).run { harness in
            let payment = Payment(productID: "coins", simulatesAskToBuyInSandbox: true)
            _ = try await harness.engine.addPayment(payment, to: EngineHarness.notes)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    try await harness.engine.answer(
                        payment.id,
                        kind: .approval,
                        approves: true,
                        reason: "",
                        by: Self.parent
                    )
                }
                await provider.charges.arrival()
                let waiting = try await harness.engine.addPayment(payment, to: EngineHarness.notes)
                #expect(waiting.state == .deferred)
                #expect(waiting.blocker == .provider)
                provider.charges.open()
                try await group.waitForAll()
            }
            #expect(try await harness.final(payment.id).state == .purchased)
        }
    }

    @Test(arguments: [(seconds: 86_399.0, isInTime: true), (86_400.0, false), (86_401.0, false)])
    func anApprovalCountsUntilTheDeadline(seconds: Double, isInTime: Bool) async throws {
        // The engine does not run while the time passes: only the ledger decides.
        let ledger = MemoryLedger()
        let time = VirtualTime()
        let payment = Payment(productID: "coins", simulatesAskToBuyInSandbox: true)
        try await EngineHarness(ledger: ledger, time: time).run { harness in
            _ = try await harness.engine.addPayment(payment, to: EngineHarness.notes)
        }
        time.advance(by: seconds)
        try await EngineHarness(ledger: ledger, time: time).run { harness in
            let answer: @Sendable () async throws -> Void = {
                try await harness.engine.answer(
                    payment.id,
                    kind: .approval,
                    approves: true,
                    reason: "",
                    by: Self.parent
                )
            }
            if isInTime {
                try await answer()
            } else {
                await expect(.failedPrecondition) { try await answer() }
            }
            let final = try await harness.final(payment.id)
            #expect(final.state == (isInTime ? .purchased : .failed))
            #expect(final.error?.reason == (isInTime ? nil : .expired))
        }
    }

    @Test func theWaitForAnApprovalIsNotTheChargesAge() async throws {
        let harness = EngineHarness()
        harness.provider.script("coins", [.timeOutAfter])
        try await harness.run { harness in
            let payment = Payment(productID: "coins", simulatesAskToBuyInSandbox: true)
            _ = try await harness.engine.addPayment(payment, to: EngineHarness.notes)
            harness.time.advance(by: 86_399)
            try await harness.engine.answer(payment.id, kind: .approval, approves: true, reason: "", by: Self.parent)
            try await harness.advance(until: payment.id)
            let final = try await harness.final(payment.id)
            #expect(final.state == .purchased)
            #expect(harness.provider.calls == ["charge", "query"])
            #expect(harness.provider.charges == [payment.id: 1])
        }
    }

    @Test func anApprovedPaymentIsChargedByTheNextEngine() async throws {
        // The engine ends between the approval's commit and the call of the provider.
        let ledger = MemoryLedger()
        let time = VirtualTime()
        let payment = Payment(productID: "coins", simulatesAskToBuyInSandbox: true)
        try await EngineHarness(ledger: ledger, time: time).run { harness in
            _ = try await harness.engine.addPayment(payment, to: EngineHarness.notes)
        }
        time.advance(by: 86_399)
        let engine = EngineHarness(ledger: ledger, time: time).engine
        let now = time.now()
        try await ledger.commit { writer in
            var context = CommandContext(ledger: writer, now: now)
            let transaction = try #require(try writer.transaction(payment.id))
            let purchase = try #require(try engine.parts.purchasing.purchase(of: transaction, context))
            _ = try engine.parts.purchasing.proceed(purchase, after: .agreed, &context)
        }
        time.advance(by: 3600)
        let provider = ScriptedProvider()
        try await EngineHarness(ledger: ledger, time: time, provider: provider).run { harness in
            let final = try await harness.final(payment.id)
            #expect(final.state == .purchased)
        }
        #expect(provider.calls == ["query", "charge"])
    }

    @Test func buyersCannotApproveForThemselves() async throws {
        try await EngineHarness().run { harness in
            let payment = Payment(productID: "coins", simulatesAskToBuyInSandbox: true)
            _ = try await harness.engine.addPayment(payment, to: EngineHarness.notes)
            let child = Approver(uid: 1000, account: "uid:1000", approvesForOthers: false)
            await expect(.notFound) {
                try await harness.engine.answer(payment.id, kind: .approval, approves: true, reason: "", by: child)
            }
            let page = try await harness.engine.authorizationRequests(for: child, token: 0, limit: 32).page
            #expect(page.isEmpty)
        }
    }

    @Test func twoRequestsForOneProductAreApprovedApart() async throws {
        try await EngineHarness().run { harness in
            let payments = [0, 1].map { _ in Payment(productID: "pro", simulatesAskToBuyInSandbox: true) }
            for payment in payments {
                _ = try await harness.engine.addPayment(payment, to: EngineHarness.notes)
            }
            for payment in payments {
                try await harness.engine.answer(
                    payment.id,
                    kind: .approval,
                    approves: true,
                    reason: "",
                    by: Self.parent
                )
            }
            let first = try await harness.final(payments[0].id)
            let second = try await harness.final(payments[1].id)
            #expect(first.state == .purchased)
            #expect(second.state == .purchased)
            #expect(second.original?.id == first.id, "owned by then, so that it is free")
            #expect(harness.provider.charges == [first.id: 1])
        }
    }

    @Test func anApprovalIsOfThePriceThatWasAskedAbout() async throws {
        try await EngineHarness().run { harness in
            let payments = ["silver", "gold"].map { Payment(productID: $0, simulatesAskToBuyInSandbox: true) }
            for payment in payments {
                _ = try await harness.engine.addPayment(payment, to: EngineHarness.notes)
            }
            for payment in payments {
                try await harness.engine.answer(
                    payment.id,
                    kind: .approval,
                    approves: true,
                    reason: "",
                    by: Self.parent
                )
            }
            let trial = try await harness.final(payments[0].id)
            #expect(trial.subscription?.offer?.paymentMode == .freeTrial)
            let gold = try await harness.final(payments[1].id)
            #expect(gold.state == .failed)
            #expect(gold.error?.code == .ineligibleForOffer)
            #expect(harness.provider.charges.isEmpty)
        }
    }

    @Test func requestsComeInPages() async throws {
        try await EngineHarness().run { harness in
            var ids: [UUID] = []
            for _ in 0..<5 {
                let payment = Payment(productID: "coins", simulatesAskToBuyInSandbox: true)
                _ = try await harness.engine.addPayment(payment, to: EngineHarness.notes)
                ids.append(payment.id)
            }
            var found: [UUID] = []
            var token: UInt64? = 0
            while let page = token {
                let (requests, next) = try await harness.engine.authorizationRequests(
                    for: Self.parent,
                    token: page,
                    limit: 2
                )
                found += requests.map(\.id)
                token = next
            }
            #expect(found == ids)
        }
    }
}
