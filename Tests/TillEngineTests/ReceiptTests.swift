import FoundationEssentials
import NIOConcurrencyHelpers
import Testing
@testable import TillEngine
import TillMemoryLedger
import TillModel
import TillTesting

@Suite(.timeLimit(.minutes(10))) struct ReceiptTests {
    private static let by = OperatorIdentity(uid: 501, reason: "lost keys")

    @Test func everyPurchaseIsSigned() async throws {
        try await EngineHarness().run { harness in
            let purchases = [
                ("coins", "coins.purchased.99-USD.USA"), ("pro", "pro.purchased.499-USD.USA"),
                ("gift", "gift.purchased.0-USD.USA"), ("monthly", "monthly.purchased.299-USD.term.USA"),
                // The owned product was not paid for again.
                ("pro", "pro.purchased.0-USD.original.USA"),
            ]
            for (product, receipt) in purchases {
                let bought = try await harness.buy(product)
                #expect(bought.receipt == "header.\(receipt)")
            }
        }
    }

    @Test func failedPurchasesAreNotSigned() async throws {
        let harness = EngineHarness()
        harness.provider.script("coins", [.decline])
        try await harness.run { harness in
            let failed = try await harness.buy("coins")
            #expect(failed.state == .failed)
            #expect(failed.receipt == nil)
        }
    }

    @Test func aRestoredTransactionIsSigned() async throws {
        try await EngineHarness().run { harness in
            let bought = try await harness.own("pro")
            _ = try await harness.engine.restoreCompletedTransactions(
                UUID(),
                applicationUsername: nil,
                in: EngineHarness.notes
            )
            let events = try await harness.events(after: bought.revision) { events in
                events.contains { $0.transaction?.state == .restored }
            }
            let restored = try #require(events.compactMap(\.transaction).first { $0.state == .restored })
            #expect(restored.receipt == "header.pro.restored.499-USD.original.USA")
        }
    }

    @Test func aRefundIsSignedBeforeObserversAreNotified() async throws {
        try await EngineHarness().run { harness in
            let bought = try await harness.buy("pro")
            _ = try await harness.engine.refund(RefundOrder(transactionID: bought.id), by: Self.by)
            let events = try await harness.events(after: bought.revision) { events in
                events.contains { $0.summary == "revoked pro" }
            }
            #expect(events.last?.transaction?.receipt == "header.pro.purchased.499-USD.revoked-1.USA")
        }
    }

    @Test func anUpgradeIsSignedInTheOldPeriod() async throws {
        try await EngineHarness().run { harness in
            let silver = try await harness.buy("silver.plus")
            _ = try await harness.buy("gold")
            let record = try await harness.record(silver.id)
            #expect(record?.receipt?.body == "silver.plus.purchased.599-USD.term.upgraded.USA")
        }
    }

    @Test func theApplicationsReceiptHoldsPurchases() async throws {
        try await EngineHarness().run { harness in
            let empty = try await harness.engine.applicationReceipt(of: EngineHarness.notes)
            #expect(empty.compact == "org.example.notes.")
            _ = try await harness.own("coins")
            _ = try await harness.own("pro")
            _ = try await harness.own("season")
            _ = try await harness.buy("coins")
            let receipt = try await harness.engine.applicationReceipt(of: EngineHarness.notes)
            // A consumable is in it until it is finished.
            let expected = ["pro.purchased.499-USD.USA", "season.purchased.999-USD.USA", "coins.purchased.99-USD.USA"]
            #expect(receipt.body == expected.joined(separator: " "))
        }
    }

    @Test func aUsersReceiptWaitsUntilTheOneBeforeIsHandedOver() async throws {
        try await EngineHarness().run { harness in
            let gate = Gate()
            let engine = harness.engine
            let order = NIOLockedValueBox<[String]>([])
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    try await engine.sendApplicationReceipt(of: EngineHarness.notes, to: 1, partMaximum: 64) { _ in
                        await gate.pass()
                        order.withLockedValue { $0.append("first") }
                    }
                }
                await gate.arrival()
                group.addTask {
                    try await engine.sendApplicationReceipt(of: EngineHarness.notes, to: 1, partMaximum: 64) { _ in
                        order.withLockedValue { $0.append("second") }
                    }
                }
                while engine.applicationReceipts.documents.waitersCount == 0 { try await Task.yieldUnlessCancelled() }
                try await engine.sendApplicationReceipt(of: EngineHarness.notes, to: 2, partMaximum: 64) { _ in
                    order.withLockedValue { $0.append("another user's") }
                }
                gate.open()
                try await group.waitForAll()
            }
            #expect(order.withLockedValue { $0 } == ["another user's", "first", "second"])
        }
    }

    @Test func aReceiptThatIsNotReadIsLetGo() async throws {
        try await EngineHarness().run { harness in
            let isOver = NIOLockedValueBox(false)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    defer { isOver.withLockedValue { $0 = true } }
                    await expect(.deadlineExceeded) {
                        let name = EngineHarness.notes
                        try await harness.engine.sendApplicationReceipt(of: name, to: 1, partMaximum: 64) { _ in
                            // Ends with the task alone.
                            let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
                            for await _ in stream {}
                            withExtendedLifetime(continuation) {}
                        }
                    }
                }
                while !isOver.withLockedValue({ $0 }) {
                    harness.time.advance(by: 1)
                    try await Task.yieldUnlessCancelled()
                }
                try await group.waitForAll()
            }
            let parts = NIOLockedValueBox(0)
            try await harness.engine.sendApplicationReceipt(of: EngineHarness.notes, to: 1, partMaximum: 10) { part in
                #expect(part.count <= 10)
                parts.withLockedValue { $0 += 1 }
            }
            // "org.example.notes."
            #expect(parts.withLockedValue { $0 } == 2)
        }
    }

    /// The caller's is an event loop, where many others wait.
    @Test func anApplicationsReceiptIsSignedOnAnotherExecutor() async throws {
        let executor = SingleExecutor()
        let signer = WatchingSigner(executor)
        try await EngineHarness(receipts: signer).run { harness in
            try await withTaskExecutorPreference(executor) {
                #expect(executor.isHere)
                _ = try await harness.engine.applicationReceipt(of: EngineHarness.notes)
            }
        }
        #expect(signer.wasOnExecutor == [false])
    }

    @Test func aPurchaseThatCannotBeSignedIsAPurchase() async throws {
        try await EngineHarness(receipts: PlainSigner(failingFor: "pro")).run { harness in
            let bought = try await harness.buy("pro")
            #expect(bought.state == .purchased)
            #expect(bought.receipt == nil)
        }
    }

    @Test func aReceiptIsRebuiltFromTheLedger() async throws {
        let ledger = MemoryLedger()
        let first = EngineHarness(ledger: ledger, receipts: PlainSigner(failingFor: "pro"))
        try await first.run { _ = try await $0.own("pro") }
        try await EngineHarness(ledger: ledger).run { harness in
            let list = try await harness.engine.transactions(
                in: EngineHarness.notes,
                token: 0,
                includeFinished: true,
                limit: 1
            )
            let id = try #require(list.page.first?.id)
            let revision = try #require(list.page.first?.revision)
            let rebuilt = try await harness.engine.rebuildReceipt(of: id, by: Self.by)
            #expect(rebuilt.receipt == "header.pro.purchased.499-USD.USA")
            // It is finished, so observers are not notified again.
            #expect(rebuilt.revision == revision)
            let audit = try await harness.engine.audit(after: 0, limit: 10)
            #expect(audit.last?.action == "RebuildReceipt")
        }
    }

    @Test func aReceiptThatCannotBeSignedIsNotRebuilt() async throws {
        try await EngineHarness(receipts: PlainSigner(failingFor: "pro")).run { harness in
            let bought = try await harness.buy("pro")
            await expect(.internal) { _ = try await harness.engine.rebuildReceipt(of: bought.id, by: Self.by) }
            #expect(try await harness.engine.audit(after: 0, limit: 10).isEmpty)
        }
    }

    @Test func onlyPurchasesAreRebuilt() async throws {
        let harness = EngineHarness()
        harness.provider.script("coins", [.decline])
        try await harness.run { harness in
            let failed = try await harness.buy("coins")
            await expect(.failedPrecondition) {
                _ = try await harness.engine.rebuildReceipt(of: failed.id, by: Self.by)
            }
            await expect(.notFound) { _ = try await harness.engine.rebuildReceipt(of: UUID(), by: Self.by) }
        }
    }
}
