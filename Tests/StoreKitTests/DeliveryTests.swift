import Foundation
import NIOConcurrencyHelpers
@testable import StoreKit
import Testing
import TillClient
import TillModel
import TillTesting

@Suite(.timeLimit(.minutes(10))) struct DeliveryTests {
    @Test("C33: no final state is reported within add or restore")
    func noFinalStateComesWithinACall() async throws {
        try await StoreHarness.run { store in
            try await store.own("pro")
            let own = DispatchQueue(label: "own")
            let queue = store.queue(callbackQueue: CallbackQueue(queue: own))
            let observer = Recorder()
            queue.add(observer)
            own.sync {
                queue.add(SKMutablePayment("coins"))
                queue.restoreCompletedTransactions()
                #expect(observer.calls.isEmpty)
            }
            await observer.saw("restore finished")
            await observer.saw("updated coins purchased")
            #expect(observer.calls.first == "updated coins purchasing")
        }
    }

    @Test("C34: the delivery queue is the main one unless another is set, and callbacks are serial on any")
    func callbacksAreSerial() async throws {
        #expect(SKPaymentQueue.deliveryQueue.label == DispatchQueue.main.label)
        let callbackQueue = CallbackQueue(queue: DispatchQueue(label: "own", attributes: .concurrent))
        let (running, order) = (NIOLockedValueBox(0), NIOLockedValueBox<[Int]>([]))
        for number in 0..<200 {
            callbackQueue.enqueue {
                #expect(
                    running.withLockedValue {
                        $0 += 1; return $0
                    } == 1
                )
                order.withLockedValue { $0.append(number) }
                running.withLockedValue { $0 -= 1 }
            }
            if number == 100 {
                callbackQueue.queue = .global()
            }
        }
        await callbackQueue.perform {}
        #expect(order.withLockedValue { $0 } == Array(0..<200))
    }

    @Test("C34: a delivery queue that does not run causes one warning")
    func aDispatchQueueThatDoesNotRunCausesAWarning() async throws {
        let (queue, log) = (DispatchQueue(label: "stuck"), Log())
        queue.suspend()
        let callbackQueue = CallbackQueue(queue: queue, warningDelay: .milliseconds(1)) { log.append($0) }
        callbackQueue.enqueue {}
        await log.until { !$0.isEmpty }
        callbackQueue.enqueue {}
        queue.resume()
        await callbackQueue.perform {}
        #expect(log.lines.count == 1)
        #expect(log.lines.first?.contains("stuck") == true)
    }

    @Test("C34: another delivery queue takes over the callbacks of one that does not run")
    func anotherQueueTakesOver() async {
        let (stuck, log) = (DispatchQueue(label: "stuck"), Log())
        stuck.suspend()
        let callbackQueue = CallbackQueue(queue: stuck)
        for number in 1...3 { callbackQueue.enqueue { log.append("\(number)") } }
        callbackQueue.queue = DispatchQueue(label: "own")
        await callbackQueue.perform {}
        #expect(log.lines == ["1", "2", "3"])
        stuck.resume()
        stuck.sync {}
        await callbackQueue.perform {}
        #expect(log.lines == ["1", "2", "3"])
    }

    @Test("C34: a running delivery queue causes no warning")
    func aRunningDispatchQueueCausesNoWarning() async {
        let log = Log()
        let callbackQueue = CallbackQueue(queue: DispatchQueue(label: "own"), warningDelay: .seconds(60)) {
            log.append($0)
        }
        for _ in 0..<100 { await callbackQueue.perform {} }
        #expect(log.lines.isEmpty)
        #expect(CallbackQueue.warningDelayDefault == .seconds(5))
    }

    @Test("C35: a transaction is one object from its first state to its removal")
    func aTransactionIsOneObject() async throws {
        try await StoreHarness.run { store in
            let (queue, observer) = store.observed(finishes: true)
            queue.add(SKMutablePayment("coins"))
            await observer.saw("removed coins")
            let objects = observer.updated + observer.removed
            #expect(objects.count == 3 && objects.allSatisfy { $0 === objects.first })
        }
    }

    @Test("C35: the present transactions are right whenever a callback runs")
    func theTransactionsAreRightInCallbacks() async throws {
        try await StoreHarness.run { store in
            let queue = store.queue()
            let observer = Recorder(
                finishes: true,
                onUpdate: { queue, transactions in
                    #expect(transactions.allSatisfy { queue.transactions.contains($0) })
                },
                onRemove: { queue, transactions in
                    #expect(transactions.allSatisfy { !queue.transactions.contains($0) })
                }
            )
            queue.add(observer)
            ["coins", "pro", "themes"].forEach { queue.add(SKMutablePayment($0)) }
            for product in ["coins", "pro", "themes"] { await observer.saw("removed \(product)") }
        }
    }

    @Test("C36: finishing is idempotent: in a callback, twice, by two observers, from another thread")
    func finishingIsIdempotent() async throws {
        try await StoreHarness.run { store in
            let queue = store.queue()
            let finish: Recorder.Hook = { queue, transactions in
                for transaction in transactions where transaction.transactionState == .purchased {
                    queue.finishTransaction(transaction)
                    queue.finishTransaction(transaction)
                }
            }
            let (first, second) = (Recorder(onUpdate: finish), Recorder(onUpdate: finish))
            queue.add(first)
            queue.add(second)
            queue.add(SKMutablePayment("coins"))
            await first.saw("removed coins")
            let transaction = try #require(first.removed.first)
            await withDiscardingTaskGroup { group in
                for _ in 0..<8 { group.addTask { queue.finishTransaction(transaction) } }
            }
            queue.add(SKMutablePayment("pro"))
            await second.saw("removed pro")
            #expect(first.calls.filter { $0 == "removed coins" }.count == 1)
        }
    }

    @Test("C39: only purchased or restored transactions have a date and an identifier, only failed ones an error")
    func fieldsBelongToStates() async throws {
        try await StoreHarness.run { store in
            try await store.own("pro")
            store.provider.scripted.script("odd", [.decline])
            let queue = store.queue()
            let observer = Recorder(onUpdate: { _, transactions in
                for transaction in transactions {
                    let state = transaction.transactionState
                    let isBought = state == .purchased || state == .restored
                    #expect((transaction.transactionDate != nil) == isBought)
                    #expect((transaction.transactionIdentifier != nil) == isBought)
                    #expect((transaction.error != nil) == (state == .failed))
                    #expect((transaction.original != nil) == (state == .restored))
                }
            })
            queue.add(observer)
            queue.add(SKMutablePayment("coins"))
            queue.add(SKMutablePayment("themes", quantity: 2))
            queue.restoreCompletedTransactions()
            for call in ["updated coins purchased", "updated themes failed", "restore finished"] {
                await observer.saw(call)
            }
            await observer.saw("updated pro restored")
        }
    }

    @Test("C40: unfinished transactions are delivered again to the first observer")
    func unfinishedTransactionsAreDeliveredToTheFirstObserver() async throws {
        try await StoreHarness.run { store in
            let (queue, first) = store.observed()
            queue.add(SKMutablePayment("coins"))
            await first.saw("updated coins purchased")
            queue.remove(first)
            let second = Recorder()
            queue.add(second)
            await second.saw("updated coins purchased")
            let third = Recorder()
            queue.add(third)
            queue.add(SKMutablePayment("pro"))
            await third.saw("updated pro purchased")
            #expect(!third.calls.contains("updated coins purchased"))
            #expect(first.updated.last === second.updated.last(where: { $0.payment.productIdentifier == "coins" }))
            #expect(first.calls.count == 2)
        }
    }

    @Test func transactionsFinishedInTheMeantimeAreNotReportedAgain() async throws {
        try await StoreHarness.run { store in
            let (queue, observer) = store.observed()
            queue.add(SKMutablePayment("pro"))
            await observer.saw("updated pro purchased")
            let late = try #require(try await store.stored().first)
            queue.finishTransaction(try #require(observer.updated.last))
            await observer.saw("removed pro")
            await queue.connection?.daemonConnection.deliver { $0.updated([late]) }
            #expect(observer.calls.filter { $0 == "updated pro purchased" }.count == 1)
            #expect(queue.transactions.isEmpty)
        }
    }

    @Test func aPurchaseDuringWaitingCallbacksIsReported() async throws {
        try await StoreHarness.run { store in
            let own = DispatchQueue(label: "own")
            let (queue, observer) = (store.queue(callbackQueue: CallbackQueue(queue: own)), Recorder())
            let daemonConnection = try #require(queue.connection?.daemonConnection)
            let receipt = try #require(daemonConnection.receipts?.path)
            own.suspend()
            queue.add(observer)
            // The purchase arrives immediately before the end of the initial delivery is reported.
            while !FileManager.default.fileExists(atPath: receipt) { try await Task.yieldUnlessCancelled() }
            for _ in 0..<10 { _ = try? await daemonConnection.client.storefront() }
            queue.add(SKMutablePayment("coins"))
            while try await store.stored().first?.state != .purchased { try await Task.yieldUnlessCancelled() }
            for _ in 0..<10 { _ = try? await daemonConnection.client.storefront() }
            own.resume()
            await observer.saw("updated coins purchased")
            #expect(observer.calls == ["updated coins purchasing", "updated coins purchased"])
        }
    }

    @Test("C42: a transaction without downloads has an empty list of them")
    func downloadsAreEmpty() {
        let downloads: [SKDownload] = SKPaymentTransaction().downloads
        #expect(downloads.isEmpty)
    }
}
