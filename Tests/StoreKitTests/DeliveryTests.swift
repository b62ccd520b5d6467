import Foundation
import NIOConcurrencyHelpers
@testable import StoreKit
import Testing
import TillClient
import TillModel
import TillTesting

@Suite(.timeLimit(.minutes(10))) struct DeliveryTests {
    @Test("C33: no final state comes within add or restore")
    func noFinalStateComesWithinACall() async throws {
        try await StoreHarness.run { store in
            try await store.own("pro")
            let own = DispatchQueue(label: "own")
            let queue = store.queue(delivery: Delivery(queue: own))
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
        let delivery = Delivery(queue: DispatchQueue(label: "own", attributes: .concurrent))
        let (running, order) = (NIOLockedValueBox(0), NIOLockedValueBox<[Int]>([]))
        for number in 0..<200 {
            delivery.enqueue {
                #expect(
                    running.withLockedValue {
                        $0 += 1; return $0
                    } == 1
                )
                order.withLockedValue { $0.append(number) }
                running.withLockedValue { $0 -= 1 }
            }
            if number == 100 {
                delivery.queue = .global()
            }
        }
        await delivery.perform {}
        #expect(order.withLockedValue { $0 } == Array(0..<200))
    }

    @Test("C34: a delivery queue that nobody runs is warned of, once")
    func aQueueThatNobodyRunsIsWarnedOf() async throws {
        let (queue, log) = (DispatchQueue(label: "stuck"), Log())
        queue.suspend()
        let delivery = Delivery(queue: queue, patience: .milliseconds(1)) { log.append($0) }
        delivery.enqueue {}
        await log.until { !$0.isEmpty }
        delivery.enqueue {}
        queue.resume()
        await delivery.perform {}
        #expect(log.lines.count == 1)
        #expect(log.lines.first?.contains("stuck") == true)
    }

    @Test("C34: another delivery queue takes over what waits for one that nobody runs")
    func anotherQueueTakesOver() async {
        let (stuck, log) = (DispatchQueue(label: "stuck"), Log())
        stuck.suspend()
        let delivery = Delivery(queue: stuck)
        for number in 1...3 { delivery.enqueue { log.append("\(number)") } }
        delivery.queue = DispatchQueue(label: "own")
        await delivery.perform {}
        #expect(log.lines == ["1", "2", "3"])
        stuck.resume()
        stuck.sync {}
        await delivery.perform {}
        #expect(log.lines == ["1", "2", "3"])
    }

    @Test("C34: a delivery queue that runs is not warned of")
    func aQueueThatRunsIsNotWarnedOf() async {
        let log = Log()
        let delivery = Delivery(queue: DispatchQueue(label: "own"), patience: .seconds(60)) { log.append($0) }
        for _ in 0..<100 { await delivery.perform {} }
        #expect(log.lines.isEmpty)
        #expect(Delivery.patienceDefault == .seconds(5))
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

    @Test("C36: finishing is idempotent: in a callback, twice, by two observers, from elsewhere")
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

    @Test("C39: date and identifier only where purchased or restored, an error only where failed")
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

    @Test("C40: the unfinished come again when observers go from none to one")
    func theUnfinishedComeWithTheFirstObserver() async throws {
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

    @Test func whatWasFinishedMeanwhileIsNotToldAgain() async throws {
        try await StoreHarness.run { store in
            let (queue, observer) = store.observed()
            queue.add(SKMutablePayment("pro"))
            await observer.saw("updated pro purchased")
            let late = try #require(try await store.stored().first)
            queue.finishTransaction(try #require(observer.updated.last))
            await observer.saw("removed pro")
            await queue.connection?.link.deliver { $0.updated([late]) }
            #expect(observer.calls.filter { $0 == "updated pro purchased" }.count == 1)
            #expect(queue.transactions.isEmpty)
        }
    }

    @Test func whatIsBoughtWhileCallbacksWaitIsTold() async throws {
        try await StoreHarness.run { store in
            let own = DispatchQueue(label: "own")
            let (queue, observer) = (store.queue(delivery: Delivery(queue: own)), Recorder())
            let link = try #require(queue.connection?.link)
            let receipt = try #require(link.receipts?.path)
            own.suspend()
            queue.add(observer)
            // It is there right before the end of what was unfinished waits to be told.
            while !FileManager.default.fileExists(atPath: receipt) { try await Task.yieldUnlessCancelled() }
            for _ in 0..<10 { _ = try? await link.client.storefront() }
            queue.add(SKMutablePayment("coins"))
            while try await store.stored().first?.state != .purchased { try await Task.yieldUnlessCancelled() }
            for _ in 0..<10 { _ = try? await link.client.storefront() }
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
