import FoundationEssentials
import Testing
@testable import TillEngine
import TillMemoryLedger
import TillModel
import TillTesting

@Suite(.timeLimit(.minutes(10))) struct RefundTests {
    private static let by = OperatorIdentity(uid: 501, reason: "asked by phone")

    @Test func aRefundGivesBackAndRevokes() async throws {
        try await EngineHarness().run { harness in
            let bought = try await harness.own("pro")
            let order = RefundOrder(transactionID: bought.id, reason: .applicationIssue)
            let (refund, transaction) = try await harness.engine.refund(order, by: Self.by)
            #expect(refund.state == .succeeded)
            #expect(refund.amount == 499)
            #expect(refund.reference == "refund-\(order.id.text)")
            #expect(harness.provider.refunds[order.id]?.amount == 499)
            #expect(transaction.revocation?.quantity == 1)
            #expect(transaction.revocation?.reason == .applicationIssue)
            #expect(transaction.revision > bought.revision)
            let record = try await harness.record(bought.id)
            #expect(record?.isEntitlement == false)
            #expect(record?.isRevocationPending == true)
            let events = try await harness.events(after: bought.revision) { events in
                events.contains { $0.summary == "revoked pro" }
            }
            #expect(events.contains { $0.summary == "revoked pro" })
        }
    }

    @Test func aRefundedProductIsPaidForAgain() async throws {
        try await EngineHarness().run { harness in
            let first = try await harness.own("pro")
            _ = try await harness.engine.refund(RefundOrder(transactionID: first.id), by: Self.by)
            let second = try await harness.buy("pro")
            #expect(second.original == nil)
            #expect(harness.provider.charges == [first.id: 1, second.id: 1])
        }
    }

    @Test func unfinishedCopiesAreRevokedWithTheirOriginal() async throws {
        try await EngineHarness().run { harness in
            let bought = try await harness.own("pro")
            let again = try await harness.buy("pro")
            let copies = try await harness.restore().compactMap(\.transaction)
            #expect(copies.map { $0.original?.id } == [bought.id])
            _ = try await harness.engine.refund(RefundOrder(transactionID: bought.id), by: Self.by)
            let receipt = try await harness.engine.applicationReceipt(of: EngineHarness.notes)
            #expect(
                receipt.body == "pro.purchased.499-USD.revoked-1.USA pro.purchased.0-USD.original.revoked-1.USA"
            )
            let events = try await harness.events(after: nil) { $0.last == .initialDeliveryEnded }
            #expect(
                events.map(\.summary) == [
                    "initial", "revoked pro", "revoked pro", "revoked pro", "end of initial delivery",
                ]
            )
            let ids = ([bought, again] + copies).map(\.id)
            #expect(events.compactMap { $0.transaction?.id } == ids)
            await expect(.failedPrecondition) {
                _ = try await harness.engine.refund(RefundOrder(transactionID: again.id), by: Self.by)
            }
        }
    }

    @Test func aRefundOfOnePeriodLeavesCopiesOfTheOthers() async throws {
        try await EngineHarness().run { harness in
            let first = try await harness.own("monthly")
            try await harness.pass(days: 40)
            let renewal = try #require(try await harness.periods().last)
            _ = try await harness.engine.finishTransaction(renewal.id, in: EngineHarness.notes)
            let copies = try await harness.restore().compactMap(\.transaction)
            try #require(copies.count == 2)
            _ = try await harness.engine.refund(RefundOrder(transactionID: first.id), by: Self.by)
            #expect(try await harness.record(copies[0].id)?.revocation?.quantity == 1)
            for id in [copies[1].id, renewal.id] {
                let record = try #require(try await harness.record(id))
                #expect(record.revocation == nil)
            }
        }
    }

    @Test func onePartOfThreeLeavesTwo() async throws {
        try await EngineHarness().run { harness in
            let bought = try await harness.buy("coins", quantity: 3)
            let order = RefundOrder(transactionID: bought.id, quantity: 1)
            let (refund, transaction) = try await harness.engine.refund(order, by: Self.by)
            #expect(refund.amount == 99)
            #expect(transaction.revocation?.quantity == 1)
            let error = await expect(.failedPrecondition) {
                let tooMuch = RefundOrder(transactionID: bought.id, quantity: 3)
                _ = try await harness.engine.refund(tooMuch, by: Self.by)
            }
            #expect(error?.message.contains("only 2 of 3") == true)
            let (rest, last) = try await harness.engine.refund(RefundOrder(transactionID: bought.id), by: Self.by)
            #expect(rest.quantity == 2)
            #expect(last.revocation?.quantity == 3)
        }
    }

    @Test func fiftyAtOnceGiveBackNoMoreThanWasPaid() async throws {
        try await EngineHarness().run { harness in
            let bought = try await harness.buy("coins", quantity: 10)
            let states = await withTaskGroup(of: RefundSummary.State?.self) { group in
                for _ in 0..<50 {
                    group.addTask {
                        let order = RefundOrder(transactionID: bought.id, quantity: 1)
                        return try? await harness.engine.refund(order, by: Self.by).0.state
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(states.count { $0 == .succeeded } == 10)
            #expect(states.count { $0 == nil } == 40)
            #expect(harness.provider.refunds.values.reduce(0) { $0 + $1.amount } == 990)
            #expect(try await harness.record(bought.id)?.revocation?.quantity == 10)
        }
    }

    @Test func repeatingARefundIsHarmless() async throws {
        try await EngineHarness().run { harness in
            let bought = try await harness.buy("coins", quantity: 3)
            let order = RefundOrder(transactionID: bought.id, quantity: 1)
            let first = try await harness.engine.refund(order, by: Self.by)
            let second = try await harness.engine.refund(order, by: Self.by)
            #expect(first.0 == second.0)
            #expect(harness.provider.calls.count { $0 == "refund" } == 1)
            var other = order
            other.quantity = 2
            await expect(.alreadyExists) { _ = try await harness.engine.refund(other, by: Self.by) }
            other = order
            other.keepsMoney = true
            await expect(.alreadyExists) { _ = try await harness.engine.refund(other, by: Self.by) }
        }
    }

    @Test(arguments: [ScriptedProvider.Answer.timeOutAfter, .timeOutBefore])
    func anUnknownRefundIsAskedAboutBeforeItIsRepeated(answer: ScriptedProvider.Answer) async throws {
        let harness = EngineHarness()
        harness.provider.scriptRefunds([answer])
        try await harness.run { harness in
            let bought = try await harness.buy("coins")
            let order = RefundOrder(transactionID: bought.id)
            let (refund, transaction) = try await harness.engine.refund(order, by: Self.by)
            #expect(refund.state == .open)
            #expect(transaction.revocation == nil)
            while try await harness.refunds(of: bought.id).first?.state == .open {
                harness.time.advance(by: 1)
                try await Task.yieldUnlessCancelled()
            }
            let calls = harness.provider.calls.filter { $0.lowercased().contains("refund") }
            #expect(calls == ["refund", "queryRefund"] + (answer == .timeOutBefore ? ["refund"] : []))
            #expect(harness.provider.refunds.count == 1)
            #expect(try await harness.record(bought.id)?.revocation?.quantity == 1)
        }
    }

    @Test func aDeclinedRefundLeavesThePurchase() async throws {
        let harness = EngineHarness()
        harness.provider.scriptRefunds([.decline])
        try await harness.run { harness in
            let bought = try await harness.own("pro")
            let (refund, transaction) = try await harness.engine.refund(
                RefundOrder(transactionID: bought.id),
                by: Self.by
            )
            #expect(refund.state == .failed)
            #expect(transaction.revocation == nil)
            #expect(try await harness.record(bought.id)?.isEntitlement == true)
            let (again, _) = try await harness.engine.refund(RefundOrder(transactionID: bought.id), by: Self.by)
            #expect(again.state == .succeeded)
        }
    }

    @Test(arguments: [ReviewOutcome.charged(reference: "re_1"), .notCharged])
    func aProviderThatNeverAnswersLeavesTheRefundToAReview(outcome: ReviewOutcome) async throws {
        let harness = EngineHarness { $0.purchasingDeadline = .seconds(300) }
        try await harness.run { harness in
            let bought = try await harness.buy("coins")
            harness.provider.setReachable(false)
            let order = RefundOrder(transactionID: bought.id)
            _ = try await harness.engine.refund(order, by: Self.by)
            while try await harness.refunds(of: bought.id).first?.state == .open {
                harness.time.advance(by: 1)
                try await Task.yieldUnlessCancelled()
            }
            await expect(.failedPrecondition) {
                _ = try await harness.engine.refund(RefundOrder(transactionID: bought.id), by: Self.by)
            }
            await expect(.failedPrecondition) {
                _ = try await harness.engine.resolve(order.id, review: nil, by: Self.by)
            }
            let resolved = try await harness.engine.resolve(order.id, review: outcome, by: Self.by)
            let refund = try await harness.refunds(of: bought.id).first
            #expect(refund?.state == (outcome == .notCharged ? .failed : .succeeded))
            #expect(refund?.reference == (outcome == .notCharged ? nil : "re_1"))
            #expect(resolved.revocation?.quantity == (outcome == .notCharged ? nil : 1))
            await expect(.failedPrecondition) {
                _ = try await harness.engine.resolve(order.id, review: outcome, by: Self.by)
            }
        }
    }

    @Test func moneyMayBeKept() async throws {
        try await EngineHarness().run { harness in
            let bought = try await harness.own("pro")
            let order = RefundOrder(transactionID: bought.id, keepsMoney: true)
            let (refund, transaction) = try await harness.engine.refund(order, by: Self.by)
            #expect(refund.state == .succeeded)
            #expect(refund.amount == 0)
            #expect(transaction.revocation?.quantity == 1)
            #expect(harness.provider.refunds.isEmpty)
        }
    }

    @Test func aStartingEngineContinuesARefund() async throws {
        let ledger = MemoryLedger()
        let (provider, time) = (ScriptedProvider(), VirtualTime())
        let payment = Payment(productID: "coins")
        provider.scriptRefunds([.timeOutAfter])
        try await EngineHarness(ledger: ledger, time: time, provider: provider).run { harness in
            _ = try await harness.engine.addPayment(payment, to: EngineHarness.notes)
            _ = try await harness.final(payment.id)
            _ = try await harness.engine.refund(RefundOrder(transactionID: payment.id), by: Self.by)
        }
        time.advance(by: 3600)
        try await EngineHarness(ledger: ledger, time: time, provider: provider).run { harness in
            await harness.engine.settleJobs()
            let states = try await harness.refunds(of: payment.id).map(\.state)
            #expect(states == [.succeeded])
        }
        #expect(provider.refunds.count == 1)
    }

    @Test func moneyAloneRevokesNothing() async throws {
        try await EngineHarness().run { harness in
            let bought = try await harness.buy("coins")
            try await harness.insertMoneyRefund(of: bought.id, amount: 40)
            await harness.engine.settleJobs()
            #expect(harness.provider.refunds.values.map(\.amount) == [40])
            let record = try #require(try await harness.record(bought.id))
            #expect(record.revocation == nil)
        }
    }

    @Test func anUnknownTransactionAndABadQuantityAreRefused() async throws {
        try await EngineHarness().run { harness in
            await expect(.notFound) {
                _ = try await harness.engine.refund(RefundOrder(transactionID: UUID()), by: Self.by)
            }
            for quantity in [-1, 11, .max, .min] {
                await expect(.invalidArgument) {
                    let order = RefundOrder(transactionID: UUID(), quantity: quantity)
                    _ = try await harness.engine.refund(order, by: Self.by)
                }
            }
            let long = OperatorIdentity(uid: 0, reason: String(repeating: "x", count: 257))
            await expect(.invalidArgument) {
                _ = try await harness.engine.refund(RefundOrder(transactionID: UUID()), by: long)
            }
        }
    }
}

extension EngineHarness {
    func insertMoneyRefund(of id: UUID, amount: Int64, state: RefundRecord.State = .open) async throws {
        let now = time.now()
        try await engine.commit { context in
            let transaction = try context.ledger.transaction(id)
            try context.ledger.insert(
                RefundRecord(
                    id: UUID(),
                    transactionKey: transaction?.key ?? 0,
                    queue: transaction?.queue ?? 0,
                    quantity: 0,
                    amount: amount,
                    currency: "USD",
                    reason: .other,
                    state: state,
                    createdAt: now,
                    dueAt: now
                )
            )
            return .success(())
        }
    }
}
