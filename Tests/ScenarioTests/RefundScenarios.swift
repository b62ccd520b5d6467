import Foundation
import ProcessTesting
import Testing
import TillClient

/// Purchases are refunded in whole or in part, and observers are notified.
@Suite(.timeLimit(.minutes(10))) struct RefundScenarios {
    @Test func aPurchaseOfThreeIsRefundedOneByOneAndNotBeyond() async throws {
        try await Shop.open { shop in
            let bought = try await shop.buy(Notes.coins, "--quantity", "3")
            let watcher = try shop.start(["watch"])
            try await shop.until("the observer receives nothing") { try !watcher.printed.text.isEmpty }

            let one: RefundedLine = try await shop.till("refund", bought.id, "--quantity", "1").one()
            #expect(one.refund == .init(amount: 99, currency: "USD", quantity: 1, state: "succeeded"))
            #expect(one.transaction.revocation?.quantity == 1)
            try await shop.till("refund", bought.id, "--quantity", "3", exits: 65)
            let two: RefundedLine = try await shop.till("refund", bought.id, "--cause", "application-issue").one()
            #expect(two.refund.amount == 198)
            #expect(two.refund.quantity == 2)
            #expect(two.transaction.revocation == .init(quantity: 3, reason: "application_issue"))
            let refused = try await shop.till("refund", bought.id, exits: 65)
            #expect(refused.errors.contains("has nothing left to refund"), "it printed: \(refused.errors)")

            try await shop.until("the observer misses a revocation") {
                try watcher.printed.revocations.last?.quantity == 3
            }
            #expect(try await shop.end(watcher).revocations.map(\.quantity) == [1, 3])
            #expect(try shop.record().filter { $0.refundID != nil }.map(\.amount) == [99, 198])
        }
    }

    @Test func aRevocationIsDeliveredUntilItIsAcknowledged() async throws {
        try await Shop.open { shop in
            let bought = try await shop.buy(Notes.pro)
            try await shop.till("finish", bought.id)
            try await shop.till("refund", bought.id)
            try await shop.daemon.kill()
            try await shop.daemon.start()
            #expect(try await shop.entitlements().isEmpty)

            // An application acknowledges a change when it asks for the next one. An application that ends here never
            // does.
            for _ in 1...2 {
                let queue = shop.queue()
                var revoked: [String] = []
                for try await change in queue.changes {
                    if case .revoked(let transactions) = change {
                        revoked = transactions.map(\.id.text)
                        break
                    }
                }
                #expect(revoked == [bought.id])
                await queue.close()
            }
            #expect(
                try await shop.callbacks().revocations.map(\.quantity) == [1],
                "an observer took the revocation from the application"
            )
            let queue = shop.queue()
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { for try await _ in queue.changes {} }
                try await shop.until("an acknowledged revocation is delivered again") {
                    try await shop.callbacks().revocations.isEmpty
                }
                group.cancelAll()
            }
            await queue.close()
        }
    }

    @Test func fiftyRefundsAtOnceNeverGiveBackMoreThanWasPaid() async throws {
        try await Shop.open { shop in
            let bought = try await shop.buy(Notes.coins, "--quantity", "10")
            let id = try #require(UUID(uuidString: bought.id))
            let store = TillOperator(ClientConfiguration(application: shop.application, socketPath: shop.site.socket))
            let given = try await withThrowingTaskGroup(of: Int64?.self) { group in
                for _ in 1...50 {
                    group.addTask {
                        do {
                            let order = RefundOrder(transactionID: id, quantity: 1)
                            return try await store.refund(order, because: "All at once.").refund.amount
                        } catch let error as TillError where error.code == .failedPrecondition {
                            return nil
                        }
                    }
                }
                return try await group.reduce(into: [Int64]()) { sums, amount in
                    sums += amount.map { [$0] } ?? []
                }
            }
            await store.close()
            #expect(given == Array(repeating: 99, count: 10))
            let refunds = try shop.record().filter { $0.refundID != nil }
            #expect(refunds.count == 10)
            #expect(refunds.map(\.amount).reduce(0, +) == 990)
            #expect(try await shop.transactions().map(\.revocation?.quantity) == [10])
        }
    }
}

extension [CallbackLine] {
    /// The revocations of the transactions that were refunded.
    fileprivate var revocations: [TransactionLine.Revocation] {
        filter { $0.callback == CallbackLine.revoked }.compactMap(\.transaction?.revocation)
    }
}

extension Printed {
    fileprivate var revocations: [TransactionLine.Revocation] {
        get throws {
            try all(CallbackLine.self).revocations
        }
    }
}
