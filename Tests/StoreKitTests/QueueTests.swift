import Foundation
@testable import StoreKit
import Testing
import TillClient
import TillModel
import TillTesting

@Suite(.timeLimit(.minutes(10))) struct QueueTests {
    @Test("S-1: an unfinished transaction is delivered to every process until it is finished")
    func unfinishedTransactionsAreDeliveredAgain() async throws {
        try await StoreHarness.run { store in
            let (first, observer) = store.observed()
            first.add(SKMutablePayment("coins"))
            await observer.saw("updated coins purchased")
            let bought = try #require(observer.updated.last?.transactionIdentifier)
            await first.connection?.disconnect()
            let (second, again) = store.observed(finishes: true)
            await again.saw("removed coins")
            #expect(again.calls == ["updated coins purchased", "removed coins"])
            #expect(again.updated.first?.transactionIdentifier == bought)
            await second.connection?.disconnect()
            let (third, last) = store.observed()
            third.add(SKMutablePayment("pro"))
            await last.saw("updated pro purchased")
            #expect(!last.calls.contains { $0.contains("coins") })
        }
    }

    @Test("S-2: without an observer nothing is followed, and nothing is lost")
    func nothingIsLostWithoutAnObserver() async throws {
        try await StoreHarness.run { store in
            let queue = store.queue()
            queue.add(SKMutablePayment("coins"))
            while try await store.stored().first?.state != .purchased { try await Task.yieldUnlessCancelled() }
            #expect(queue.transactions.first?.transactionState == .purchasing)
            let observer = Recorder()
            queue.add(observer)
            await observer.saw("updated coins purchased")
            #expect(queue.transactions.map(\.transactionState) == [.purchased])
        }
    }

    @Test("S-3: a payment that was added before the observer is delivered to it")
    func aPaymentBeforeTheObserverIsDelivered() async throws {
        try await StoreHarness.runUnserved { store in
            let queue = store.queue()
            queue.add(SKMutablePayment("coins"))
            let observer = Recorder()
            queue.add(observer)
            await observer.saw("updated coins purchasing")
            try await store.serving { await observer.saw("updated coins purchased") }
            #expect(observer.calls == ["updated coins purchasing", "updated coins purchased"])
            #expect(observer.updated.first === observer.updated.last)
        }
    }

    @Test("S-4: only the first observer receives the unfinished transactions")
    func onlyTheFirstObserverReceivesUnfinishedTransactions() async throws {
        try await StoreHarness.run { store in
            try await store.buy("coins")
            let (queue, first) = store.observed()
            await first.saw("updated coins purchased")
            let second = Recorder()
            queue.add(second)
            queue.add(SKMutablePayment("pro"))
            await second.saw("updated pro purchased")
            #expect(!second.calls.contains { $0.contains("coins") })
        }
    }

    @Test("S-5: every observer gets every callback")
    func everyObserverGetsEveryCallback() async throws {
        try await StoreHarness.run { store in
            let (queue, first) = store.observed(finishes: true)
            let second = Recorder()
            queue.add(second)
            queue.add(SKMutablePayment("coins"))
            await first.saw("removed coins")
            await second.saw("removed coins")
            #expect(first.calls == second.calls)
            #expect(first.calls.count == 3)
        }
    }

    @Test("S-6: one callback may contain several transactions, each once")
    func oneCallbackMayContainSeveralTransactions() async throws {
        try await StoreHarness.run { store in
            for product in ["coins", "pro", "themes"] { try await store.buy(product) }
            let (queue, observer) = store.observed()
            await observer.saw("updated themes purchased")
            #expect(observer.groups == [3])
            #expect(queue.transactions == observer.updated)
        }
    }

    @Test("S-7: a finished transaction is removed after the call, as the same object")
    func removedAfterTheCall() async throws {
        try await StoreHarness.run { store in
            let (queue, observer) = store.observed()
            queue.add(SKMutablePayment("coins"))
            await observer.saw("updated coins purchased")
            let transaction = try #require(queue.transactions.first)
            queue.finishTransaction(transaction)
            await observer.saw("removed coins")
            #expect(observer.removed.first === transaction)
            #expect(queue.transactions.isEmpty)
        }
    }

    @Test("S-8: callbacks come on the delivery queue")
    func callbacksComeOnTheDeliveryQueue() async throws {
        try await StoreHarness.run { store in
            let key = DispatchSpecificKey<Bool>()
            let own = DispatchQueue(label: "own")
            own.setSpecific(key: key, value: true)
            let queue = store.queue(callbackQueue: CallbackQueue(queue: own))
            let observer = Recorder(onUpdate: { _, _ in #expect(DispatchQueue.getSpecific(key: key) == true) })
            queue.add(observer)
            queue.add(SKMutablePayment("coins"))
            await observer.saw("updated coins purchased")
        }
    }

    @Test("S-9: payments are sent to the daemon in the order in which they were added, even if it was unavailable")
    func paymentsKeepTheirOrder() async throws {
        try await StoreHarness.runUnserved { store in
            let (queue, observer) = store.observed()
            let products = (1...20).map { $0 % 2 == 0 ? "coins" : "odd" }
            products.forEach { queue.add(SKMutablePayment($0)) }
            try await store.serving {
                await observer.saw("updated coins purchased", times: 10)
                while try await store.stored().count < 20 { try await Task.yieldUnlessCancelled() }
            }
            #expect(try await store.stored().map(\.payment.productID) == products)
        }
    }

    @Test("a queue that is connected to nothing keeps its delegate and its observers")
    func anUnconnectedQueueKeepsItsDelegateAndObservers() {
        let (queue, delegate, observer) = (SKPaymentQueue(), QueueDelegate(), Recorder())
        queue.delegate = delegate
        #expect(queue.delegate === delegate)
        queue.add(observer)
        #expect(queue.transactionObservers.map(ObjectIdentifier.init) == [ObjectIdentifier(observer)])
        queue.remove(observer)
        #expect(queue.transactionObservers.isEmpty)
    }

    @Test("within a callback default() is the queue that makes it")
    func withinACallbackTheDefaultQueueIsItsOwn() async throws {
        try await StoreHarness.run { store in
            let queue = store.queue()
            let observer = Recorder(onUpdate: { made, _ in #expect(SKPaymentQueue.default() === made) })
            queue.add(observer)
            queue.add(SKMutablePayment("coins"))
            await observer.saw("updated coins purchased")
            #expect(SKPaymentQueue.current !== queue)
        }
    }
}

private final class QueueDelegate: NSObject, SKPaymentQueueDelegate, Sendable {}
