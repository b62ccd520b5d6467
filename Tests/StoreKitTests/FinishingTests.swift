@testable import StoreKit
import Testing
import TillModel
import TillTesting

@Suite(.timeLimit(.minutes(10))) struct FinishingTests {
    @Test("S-17: a finished transaction leaves the queue permanently, whether purchased, restored or failed")
    func finishedTransactionsAreRemoved() async throws {
        try await StoreHarness.run { store in
            try await store.own("pro")
            store.provider.scripted.script("coins", [.decline])
            let (queue, observer) = store.observed(finishes: true)
            queue.add(SKMutablePayment("coins"))
            queue.add(SKMutablePayment("themes"))
            await observer.saw("removed coins")
            await observer.saw("removed themes")
            queue.restoreCompletedTransactions()
            await observer.saw("restore finished")
            await observer.saw("removed pro")
            await observer.saw("removed themes", times: 2)
            await queue.connection?.disconnect()
            let (_, again) = store.observed()
            _ = try await store.buy("odd.none")
            await again.saw("updated odd.none failed")
            #expect(again.calls == ["updated odd.none failed"])
        }
    }

    @Test("S-18: a finish is retried until the daemon has received it")
    func aFinishIsSentAgain() async throws {
        try await StoreHarness.runUnserved { store in
            let (queue, observer) = store.observed()
            try await store.serving {
                queue.add(SKMutablePayment("coins"))
                await observer.saw("updated coins purchased")
            }
            let transaction = try #require(queue.transactions.first)
            queue.finishTransaction(transaction)
            #expect(queue.transactions == [transaction])
            try await store.serving { await observer.saw("removed coins") }
            #expect(try await store.stored().map(\.isFinished) == [true])
        }
    }

    @Test("S-19: an unfinished failed transaction is delivered again")
    func failedTransactionsAreDeliveredAgain() async throws {
        try await StoreHarness.run { store in
            store.provider.scripted.script("coins", [.decline])
            try await store.buy("coins")
            for _ in 0..<2 {
                let (queue, observer) = store.observed()
                await observer.saw("updated coins failed")
                await queue.connection?.disconnect()
            }
        }
    }

    @Test("S-20: a deferred transaction is not finished")
    func deferredTransactionsStayInTheQueue() async throws {
        try await StoreHarness.run { store in
            try await store.set(.askToBuy, "true")
            let (queue, observer) = store.observed()
            queue.add(SKMutablePayment("coins"))
            await observer.saw("updated coins deferred")
            queue.finishTransaction(try #require(queue.transactions.first))
            #expect(queue.transactions.map(\.transactionState) == [.deferred])
        }
    }

    @Test("S-21: finishing a finished or unknown transaction is harmless")
    func finishingAnUnknownTransactionIsHarmless() async throws {
        try await StoreHarness.run { store in
            let (queue, observer) = store.observed(finishes: true)
            queue.finishTransaction(FakeTransaction(state: .purchased))
            queue.add(SKMutablePayment("coins"))
            await observer.saw("removed coins")
            queue.finishTransaction(try #require(observer.removed.first))
            queue.add(SKMutablePayment("themes"))
            await observer.saw("removed themes")
            #expect(observer.removed.count == 2)
        }
    }
}
