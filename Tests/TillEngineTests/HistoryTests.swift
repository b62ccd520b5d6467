import FoundationEssentials
import Testing
@testable import TillEngine
import TillMemoryLedger
import TillModel
import TillTesting

@Suite(.timeLimit(.minutes(10))) struct HistoryTests {
    private static let by = OperatorIdentity(uid: 501, reason: "asked by phone")

    @Test func providerCallsAreNotedInTheHistory() async throws {
        let harness = EngineHarness()
        harness.provider.script("coins", [.timeOutBefore])
        try await harness.run { harness in
            let payment = Payment(productID: "coins")
            _ = try await harness.engine.addPayment(payment, to: EngineHarness.notes)
            try await harness.advance(until: payment.id)
            let history = try await harness.history(of: payment.id, .providerCall)
            #expect(
                history == [
                    "asked to charge: no clear answer; the provider will be asked again",
                    "asked about the charge: the provider does not know it",
                    "asked to charge: succeeded, as ref-\(payment.id.text)",
                ]
            )
        }
    }

    @Test func aHistoryGoesFromTheAddingToTheFinish() async throws {
        try await EngineHarness().run { harness in
            let bought = try await harness.own("pro")
            let history = try await harness.history(of: bought.id, .change)
            #expect(history == ["added to the queue", "finished by the application"])
            let restored = try await harness.restore().compactMap { $0.transaction?.id }.first
            let began = try await harness.history(of: try #require(restored), .change)
            #expect(began == ["restored"])
        }
    }

    @Test func aRefundIsNotedWithWhoOrderedIt() async throws {
        try await EngineHarness().run { harness in
            let bought = try await harness.buy("coins")
            let order = RefundOrder(transactionID: bought.id)
            _ = try await harness.engine.refund(order, by: Self.by)
            let explanation = try await harness.engine.explanation(ofTransaction: bought.id)
            #expect(explanation.history.contains { $0.actor == "uid:501" && $0.detail.contains("ordered") })
            #expect(explanation.history.contains { $0.actor == "tilld" && $0.detail.hasSuffix(": done") })
            #expect(explanation.history.contains { $0.kind == .providerCall && $0.detail.contains(order.id.text) })
            #expect(explanation.refunds.map(\.id) == [order.id])
            #expect(explanation.charges.map(\.state) == [.succeeded] && explanation.charges.map(\.attempts) == [1])
            #expect(explanation.application == "org.example.notes")
        }
    }

    @Test func aDeliveryIsInTheHistoryAtOnceAndStoredWithTheNextChange() async throws {
        try await EngineHarness().run { harness in
            let bought = try await harness.buy("coins")
            try await harness.deliver(from: 0, to: "uid:1000 pid:4711")
            let expected = ["revision \(bought.revision) to uid:1000 pid:4711"]
            #expect(try await harness.history(of: bought.id, .delivery) == expected)
            #expect(try await harness.storedDeliveries(of: bought.id) == [])
            _ = try await harness.engine.finishTransaction(bought.id, in: EngineHarness.notes)
            #expect(harness.engine.feed.deliveries.isEmpty)
            #expect(try await harness.storedDeliveries(of: bought.id) == expected)
            #expect(try await harness.history(of: bought.id, .delivery) == expected)
        }
    }

    @Test func aDeliveryIsStoredWithoutAnotherChangeToo() async throws {
        try await EngineHarness().run { harness in
            let bought = try await harness.buy("coins")
            try await harness.deliver(from: 0, to: "uid:1000 pid:4711")
            while try await harness.storedDeliveries(of: bought.id).isEmpty {
                harness.time.advance(by: 1)
                try await Task.yieldUnlessCancelled()
            }
            #expect(harness.engine.feed.deliveries.isEmpty)
        }
    }

    @Test func deliveriesAreNotedBeforeTheEngineEnds() async throws {
        let ledger = MemoryLedger()
        let payment = Payment(productID: "coins")
        try await EngineHarness(ledger: ledger).run { harness in
            _ = try await harness.engine.addPayment(payment, to: EngineHarness.notes)
            _ = try await harness.final(payment.id)
            try await harness.deliver(from: 0, to: "uid:1000 pid:4711")
        }
        let harness = EngineHarness(ledger: ledger)
        let history = try await harness.history(of: payment.id, .delivery)
        #expect(history.count == 1)
    }

    @Test func tooManyDeliveriesAreDropped() async throws {
        let log = DeliveryLog(time: VirtualTime())
        for _ in 0..<DeliveryLog.waitingMaximum + 1_000 {
            log.record([.updated(Self.sample())], to: "somebody")
        }
        log.stop()
        let pages = Pages()
        try await log.run { await pages.append($0.count) }
        let counts = await pages.counts
        #expect(counts.reduce(0, +) == DeliveryLog.waitingMaximum)
        #expect(counts.allSatisfy { $0 <= DeliveryLog.commitMaximum })
    }

    @Test func asManyDeliveriesOfATransactionWaitAsItsHistoryKeeps() {
        let log = DeliveryLog(time: VirtualTime())
        let transaction = Self.sample()
        for observer in 0..<DeliveryLog.waitingMaximum + 1 {
            log.record([.updated(transaction)], to: "observer \(observer)")
        }
        let waiting = log.take(transaction.id)
        #expect(waiting.count == CommandContext.historyKept)
        #expect(waiting.last?.peer == "observer \(CommandContext.historyKept - 1)")
        #expect(log.isEmpty)
    }

    private static func sample() -> Transaction {
        Transaction(id: UUID(), revision: 1, state: .purchased, payment: Payment(productID: "coins"))
    }

    @Test func anUnknownTransactionHasNoExplanation() async throws {
        try await EngineHarness().run { harness in
            await expect(.notFound) { _ = try await harness.engine.explanation(ofTransaction: UUID()) }
        }
    }

    @Test func operatorsFindTransactionsOfAllQueues() async throws {
        try await EngineHarness().run { harness in
            let other = QueueName(application: "org.example.other", account: "uid:2")
            let first = try await harness.buy("coins")
            let second = try await harness.buy("pro", in: other)
            let filter = TransactionFilter()
            let (page, next) = try await harness.engine.operatorTransactions(matching: filter, token: 0, limit: 1)
            #expect(page.map(\.transaction.id) == [first.id])
            #expect(page.map(\.application) == ["org.example.notes"])
            let (rest, _) = try await harness.engine.operatorTransactions(
                matching: filter,
                token: try #require(next),
                limit: 32
            )
            #expect(rest.map(\.transaction.id) == [second.id])
            #expect(rest.map(\.account) == ["uid:2"])
            await expect(.invalidArgument) {
                _ = try await harness.engine.operatorTransactions(matching: filter, token: .max, limit: 1)
            }
            await expect(.invalidArgument) {
                _ = try await harness.engine.operatorTransactions(matching: filter, token: 0, limit: 33)
            }
        }
    }
}

private actor Pages {
    private(set) var counts: [Int] = []

    func append(_ count: Int) {
        counts.append(count)
    }
}

extension EngineHarness {
    /// The deliveries of the transaction's history in the ledger.
    fileprivate func storedDeliveries(of id: UUID) async throws -> [String] {
        try await engine.read { ledger in
            let key = try ledger.transactionKey(id)
            return try key.map { try ledger.history(ofTransaction: $0) }?.filter { $0.kind == .delivery }.map(\.detail)
                ?? []
        }
    }

    /// Has an observer delivered to until it is live.
    fileprivate func deliver(from revision: UInt64, to peer: String) async throws {
        let observation = try engine.observe(
            Self.notes,
            after: revision,
            window: nil,
            batchSize: nil,
            peer: peer
        )
        let batches = AsyncStream.makeStream(of: EventBatch.self, bufferingPolicy: .unbounded)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try? await observation.run { batches.continuation.yield($0) } }
            for await _ in batches.stream {
                break
            }
            // It notes after it has sent: a second wake-up comes after that.
            while engine.feed.deliveries.isEmpty {
                try await Task.yieldUnlessCancelled()
            }
            group.cancelAll()
        }
    }
}
