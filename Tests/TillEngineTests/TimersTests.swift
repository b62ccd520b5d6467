import FoundationEssentials
import Testing
@testable import TillEngine
import TillModel
import TillTesting

@Suite(.timeLimit(.minutes(10))) struct TimersTests {
    private static let patience: TimeInterval = 100_000

    @Test func renewalsThatHaveToWaitHoldUpNothingElse() async throws {
        try await EngineHarness().run { harness in
            let bought = try await harness.buy("coins")
            try await harness.insertDue(bought.id, heldSubscriptions: 128)
            let start = harness.time.now()
            while try await harness.refunds(of: bought.id).first?.state == .open,
                harness.time.now().timeIntervalSince(start) < Self.patience
            {
                harness.time.advance(by: 1)
                try await Task.yieldUnlessCancelled()
            }
            try #require(try await harness.refunds(of: bought.id).map(\.state) == [.succeeded])
            // It would never have looked for the last time.
            await harness.engine.settleJobs()
        }
    }
}

extension EngineHarness {
    /// Inserts a due refund of a purchase, and due subscriptions with another payment of their groups under way.
    fileprivate func insertDue(_ id: UUID, heldSubscriptions count: Int) async throws {
        try await engine.commit { context -> Result<Void, TillError> in
            guard let bought = try context.ledger.transaction(id),
                let request = try context.ledger.charge(forTransaction: bought.key)?.request
            else {
                return .failure(TillError(.notFound, "There is no charge for \(id)."))
            }
            for number in 0..<count {
                let due = context.now.addingTimeInterval(-1)
                let record = SubscriptionRecord(
                    queue: bought.queue,
                    groupID: "group\(number)",
                    original: bought.asOriginal,
                    latestKey: bought.key,
                    productID: "monthly",
                    renewalProductID: "monthly",
                    periodStart: bought.createdAt.addingTimeInterval(-30 * 86400),
                    periodEnd: due,
                    renewalAmount: 299,
                    currency: "USD",
                    dueAt: due
                )
                _ = try context.ledger.insert(record)
                try context.save(
                    ChargeRecord(
                        transactionKey: nil,
                        queue: bought.queue,
                        exclusiveGroup: SubscriptionPurchase.exclusiveGroup(ofSubscriptionGroup: record.groupID),
                        request: request,
                        state: .waiting,
                        createdAt: context.now,
                        dueAt: context.now
                    )
                )
            }
            try context.ledger.insert(
                RefundRecord(
                    id: UUID(),
                    transactionKey: bought.key,
                    queue: bought.queue,
                    quantity: 0,
                    amount: 40,
                    currency: "USD",
                    reason: .other,
                    createdAt: context.now,
                    dueAt: context.now
                )
            )
            return .success(())
        }
    }
}
