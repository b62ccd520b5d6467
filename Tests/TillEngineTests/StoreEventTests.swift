import FoundationEssentials
import Testing
@testable import TillEngine
import TillModel
import TillTesting

/// Events of the store, which are delivered until observers have acknowledged them.
@Suite(.timeLimit(.minutes(10))) struct StoreEventTests {
    private static let by = OperatorIdentity(uid: 0, reason: "test")

    /// The events until the end of an observer's initial delivery, acknowledged or not.
    private static func initialDelivery(_ harness: EngineHarness, acknowledges: Bool) async throws -> [String] {
        let observation = try harness.engine.observe(EngineHarness.notes, after: nil, window: 16, batchSize: nil)
        let batches = AsyncStream.makeStream(of: EventBatch.self, bufferingPolicy: .unbounded)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try? await observation.run { batches.continuation.yield($0) } }
            defer { group.cancelAll() }
            var events: [QueueEvent] = []
            for await batch in batches.stream {
                events += batch.events
                if events.contains(.initialDeliveryEnded) {
                    if acknowledges {
                        observation.acknowledge(batch.revision)
                        try await stored(batch.revision, harness)
                    }
                    break
                }
            }
            return events.map(\.summary).filter { !$0.contains("initial") }
        }
    }

    /// Waits until the ledger has nothing pending up to the revision.
    private static func stored(_ revision: UInt64, _ harness: EngineHarness) async throws {
        while try await harness.ledger.read({ ledger in
            let queue = try ledger.queue(EngineHarness.notes)?.key ?? 0
            let events = try ledger.pendingEvents(in: queue, revisions: 1...revision, limit: 1)
            let rows = try ledger.deliverableTransactions(in: queue, revisions: 1...revision, limit: 100)
            return !events.isEmpty || rows.contains(where: \.isRevocationPending)
        }) {
            try await Task.yieldUnlessCancelled()
        }
    }

    @Test func aRevocationIsDeliveredAtEveryAttachUntilItIsAcknowledged() async throws {
        try await EngineHarness().run { harness in
            let bought = try await harness.own("pro")
            _ = try await harness.engine.refund(RefundOrder(transactionID: bought.id), by: Self.by)
            for _ in 0..<2 {
                let unacknowledged = try await Self.initialDelivery(harness, acknowledges: false)
                #expect(unacknowledged == ["revoked pro"], "although the transaction is finished")
            }
            let acknowledged = try await Self.initialDelivery(harness, acknowledges: true)
            #expect(acknowledged == ["revoked pro"])
            let later = try await Self.initialDelivery(harness, acknowledges: false)
            #expect(later.isEmpty)
        }
    }

    @Test(arguments: [false, true])
    func aRefundReachesAnApplicationThatFinishesWithoutKnowingOfIt(isAcknowledged: Bool) async throws {
        try await EngineHarness().run { harness in
            let bought = try await harness.buy("pro")
            _ = try await harness.engine.refund(RefundOrder(transactionID: bought.id), by: Self.by)
            if isAcknowledged {
                #expect(try await Self.initialDelivery(harness, acknowledges: true) == ["revoked pro"])
            }
            _ = try await harness.engine.finishTransaction(bought.id, in: EngineHarness.notes)
            let delivered = try await Self.initialDelivery(harness, acknowledges: true)
            #expect(delivered == (isAcknowledged ? [] : ["revoked pro"]))
            #expect(try await Self.initialDelivery(harness, acknowledges: true).isEmpty)
        }
    }

    @Test func acknowledgementsOfAPassiveObserverEndNoDelivery() async throws {
        try await EngineHarness().run { harness in
            for product in ["pro", "themes"] {
                let bought = try await harness.own(product)
                _ = try await harness.engine.refund(RefundOrder(transactionID: bought.id), by: Self.by)
            }
            let observation = try harness.engine.observe(
                EngineHarness.notes,
                after: nil,
                window: 1,
                batchSize: 1,
                isPassive: true
            )
            let batches = AsyncStream.makeStream(of: EventBatch.self, bufferingPolicy: .unbounded)
            await withTaskGroup(of: Void.self) { group in
                group.addTask { try? await observation.run { batches.continuation.yield($0) } }
                defer { group.cancelAll() }
                for await batch in batches.stream {
                    // It is dealt with before the next batch is sent.
                    observation.acknowledge(batch.revision)
                    if batch.events.contains(.initialDeliveryEnded) {
                        break
                    }
                }
            }
            let delivered = try await Self.initialDelivery(harness, acknowledges: false)
            #expect(delivered == ["revoked pro", "revoked themes"])
        }
    }

    @Test func aRevocationIsDeliveredAlthoughTheClockWasSetBack() async throws {
        try await EngineHarness().run { harness in
            let bought = try await harness.own("pro")
            harness.time.setBack(by: 3600)
            _ = try await harness.engine.refund(RefundOrder(transactionID: bought.id), by: Self.by)
            let told = try await Self.initialDelivery(harness, acknowledges: false)
            try #require(told == ["revoked pro"])
            _ = try await Self.initialDelivery(harness, acknowledges: true)
            let later = try await Self.initialDelivery(harness, acknowledges: false)
            #expect(later.isEmpty)
        }
    }

    @Test func aRevocationThatWasAcknowledgedStillReachesAnObserverWithAnOlderCursor() async throws {
        try await EngineHarness().run { harness in
            let bought = try await harness.own("pro")
            _ = try await harness.engine.refund(RefundOrder(transactionID: bought.id), by: Self.by)
            _ = try await Self.initialDelivery(harness, acknowledges: true)
            let events = try await harness.events(after: bought.revision) { !$0.isEmpty }
            #expect(events.map(\.summary) == ["revoked pro"])
        }
    }

    @Test func aRevokedTransactionThatIsUnfinishedIsFinishedAsAlways() async throws {
        try await EngineHarness().run { harness in
            let bought = try await harness.buy("pro")
            _ = try await harness.engine.refund(RefundOrder(transactionID: bought.id), by: Self.by)
            _ = try await Self.initialDelivery(harness, acknowledges: true)
            _ = try await harness.engine.finishTransaction(bought.id, in: EngineHarness.notes)
            let events = try await harness.events(after: bought.revision) { $0.last?.summary == "removed pro" }
            #expect(events.last?.transaction?.revocation?.quantity == 1)
            let later = try await Self.initialDelivery(harness, acknowledges: false)
            #expect(later.isEmpty)
        }
    }

    @Test func aPromotedPurchaseWaitsForAnObserverAndIsAddedUnderItsIdentity() async throws {
        try await EngineHarness().run { harness in
            let payment = Payment(productID: "pro")
            try await harness.engine.promote(payment, to: EngineHarness.notes, by: Self.by)
            let asked = try await Self.initialDelivery(harness, acknowledges: false)
            #expect(asked == ["store payment pro"])
            _ = try await harness.engine.addPayment(payment, to: EngineHarness.notes)
            let final = try await harness.final(payment.id)
            #expect(final.state == .purchased)
            _ = try await Self.initialDelivery(harness, acknowledges: true)
            let later = try await Self.initialDelivery(harness, acknowledges: false)
            #expect(later == ["updated pro purchased"])
            await expect(.alreadyExists) {
                try await harness.engine.promote(payment, to: EngineHarness.notes, by: Self.by)
            }
            await expect(.notFound) {
                let unknown = Payment(productID: "nothing")
                try await harness.engine.promote(unknown, to: EngineHarness.notes, by: Self.by)
            }
        }
    }
}
