import FoundationEssentials
import Testing
@testable import TillEngine
import TillModel
import TillTesting

/// Renewals of an application that was away.
@Suite struct CollapsedRenewalTests {
    private static func renewals(_ harness: EngineHarness, collapsed: Bool) async throws -> [Transaction] {
        let observation = try harness.engine.observe(
            EngineHarness.notes,
            after: nil,
            window: nil,
            batchSize: 2,
            collapsesRenewals: collapsed
        )
        let batches = AsyncStream.makeStream(of: EventBatch.self, bufferingPolicy: .unbounded)
        return await withTaskGroup(of: Void.self) { group in
            group.addTask { try? await observation.run { batches.continuation.yield($0) } }
            defer { group.cancelAll() }
            var events: [QueueEvent] = []
            for await batch in batches.stream {
                events += batch.events
                observation.acknowledge(batch.revision)
                if events.contains(.initialDeliveryEnded) {
                    break
                }
            }
            return events.compactMap(\.transaction)
        }
    }

    @Test func onlyTheNewestRenewalIsDeliveredWithACountToWhoAsksForThat() async throws {
        try await EngineHarness().run { harness in
            _ = try await harness.own("monthly")
            let coins = try await harness.buy("coins")
            try await harness.pass(days: 160)
            let all = try await Self.renewals(harness, collapsed: false)
            #expect(all.count == 6)
            #expect(all.allSatisfy { $0.subscription?.collapsedCount ?? 0 == 0 })
            let collapsed = try await Self.renewals(harness, collapsed: true)
            #expect(collapsed.map(\.id) == [coins.id, all.last?.id])
            #expect(collapsed.last?.subscription?.collapsedCount == 4)
        }
    }

    @Test func finishingTheNewestRenewalFinishesTheOlderOnes() async throws {
        try await EngineHarness().run { harness in
            _ = try await harness.own("monthly")
            try await harness.pass(days: 160)
            let newest = try await Self.renewals(harness, collapsed: true)
            #expect(newest.count == 1)
            let id = try #require(newest.first?.id)
            _ = try await harness.engine.finishTransaction(id, in: EngineHarness.notes, includingOlderRenewals: true)
            let left = try await Self.renewals(harness, collapsed: false)
            #expect(left.isEmpty)
        }
    }

    @Test func finishingOneRenewalLeavesTheOthersUnlessAsked() async throws {
        try await EngineHarness().run { harness in
            _ = try await harness.own("monthly")
            try await harness.pass(days: 100)
            let all = try await Self.renewals(harness, collapsed: false)
            #expect(all.count == 3)
            let id = try #require(all.last?.id)
            _ = try await harness.engine.finishTransaction(id, in: EngineHarness.notes)
            let left = try await Self.renewals(harness, collapsed: false)
            #expect(left.map(\.id) == all.dropLast().map(\.id))
        }
    }

    @Test func aRevokedRenewalHidesNoneAndFinishesNone() async throws {
        try await EngineHarness().run { harness in
            _ = try await harness.own("monthly")
            try await harness.pass(days: 70)
            let all = try await Self.renewals(harness, collapsed: false)
            try #require(all.count == 2)
            let order = RefundOrder(transactionID: all[1].id)
            _ = try await harness.engine.refund(order, by: OperatorIdentity(uid: 0, reason: "test"))
            let collapsed = try await Self.renewals(harness, collapsed: true)
            #expect(collapsed.map(\.id) == all.map(\.id))
            _ = try await harness.engine.finishTransaction(
                all[1].id,
                in: EngineHarness.notes,
                includingOlderRenewals: true
            )
            let left = try await Self.renewals(harness, collapsed: true)
            #expect(left.map(\.id) == [all[0].id])
        }
    }

    @Test func finishingARestoredRenewalFinishesItAlone() async throws {
        try await EngineHarness().run { harness in
            _ = try await harness.own("monthly")
            try await harness.pass(days: 70)
            let bought = try await Self.renewals(harness, collapsed: false)
            try #require(bought.count == 2)
            _ = try await harness.engine.finishTransaction(bought[0].id, in: EngineHarness.notes)
            let restored = try await harness.restore().compactMap(\.transaction)
            let copy = try #require(restored.first { $0.subscription == bought[0].subscription })
            _ = try await harness.engine.finishTransaction(
                copy.id,
                in: EngineHarness.notes,
                includingOlderRenewals: true
            )
            let left = try await Self.renewals(harness, collapsed: false)
            #expect(left.map(\.id).contains(bought[1].id))
        }
    }
}
