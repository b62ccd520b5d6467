import Foundation
@testable import StoreKit
import Testing
import TillModel

/// References to observers, and which of their methods count as implemented.
@Suite(.timeLimit(.minutes(10))) struct ObserverTests {
    @Test("C17: optional methods may be missing, and an extension may add the conformance")
    func optionalMethodsMayBeMissing() async throws {
        try await StoreHarness.run { store in
            try await store.own("pro")
            let queue = store.queue()
            let (plain, observer) = (PlainObserver(), Recorder(finishes: true))
            queue.add(plain)
            queue.add(observer)
            queue.delegate = plain
            queue.restoreCompletedTransactions()
            await observer.saw("restore finished")
            await observer.saw("removed pro")
            #expect(plain.log.lines == ["1"])
        }
    }

    @Test("C18: a method that only a subclass adds is not called, and the page lists the other differences")
    func aSubclassesMethodIsNotCalled() async throws {
        try await StoreHarness.run { store in
            let queue = store.queue()
            let (derived, observer) = (DerivedObserver(), Recorder(finishes: true))
            queue.add(derived)
            queue.add(observer)
            queue.add(SKMutablePayment("coins"))
            await observer.saw("removed coins")
            #expect(derived.log.lines == ["1", "1"])
        }
        try MovingPage.explains("C18", "subclass")
    }

    @Test(
        "C19: a missing method differs from one that returns false",
        arguments: [(nil, "missing"), (false, "no"), (true, "yes")] as [(Bool?, String)]
    )
    func missingIsNotNo(_ answer: Bool?, _ expected: String) {
        let observer: any SKPaymentTransactionObserver =
            answer.map { PromotionObserver(accepts: $0) } ?? PlainObserver()
        let found = OptionalMethod.answer {
            observer.paymentQueue(SKPaymentQueue(), shouldAddStorePayment: SKPayment(), for: SKProduct())
        }
        #expect(found.map { $0 ? "yes" : "no" } ?? "missing" == expected)
    }

    @Test("C20: observers are held weakly, and removed in their deinit")
    func observersAreHeldWeakly() async throws {
        try await StoreHarness.run { store in
            let (queue, observer) = store.observed()
            do {
                let brief = LeavingObserver(queue)
                #expect(queue.transactionObservers.count == 2)
                withExtendedLifetime(brief) {}
            }
            #expect(queue.transactionObservers.count == 1)
            queue.add(SKMutablePayment("coins"))
            await observer.saw("updated coins purchased")
            // An observer that is not removed before it is deallocated does no harm either.
            do { queue.add(PlainObserver()) }
            #expect(queue.transactionObservers.count == 1)
        }
    }

    @Test func anObserverAddedWhileOthersAreRemovedReceivesChanges() async throws {
        try await StoreHarness.run { store in
            let queue = store.queue()
            for _ in 0..<50 {
                let (leaving, coming) = (Recorder(), Recorder())
                queue.add(leaving)
                await withDiscardingTaskGroup { group in
                    group.addTask { queue.remove(leaving) }
                    group.addTask { queue.add(coming) }
                }
                // It may have been added as a second observer or again as a first one.
                queue.add(SKMutablePayment("coins"))
                await coming.saw("updated coins purchased")
                queue.remove(coming)
            }
        }
    }

    @Test("C21: observers can be added and removed within callbacks, and are notified once even if added several times")
    func observersAreAddedAndRemovedWithinCallbacks() async throws {
        try await StoreHarness.run { store in
            let queue = store.queue()
            let late = Recorder()
            let leaving = Recorder(onUpdate: { queue, _ in queue.add(late) })
            let staying = Recorder()
            let box = WeakObserver(leaving)
            let gone = Recorder(onUpdate: { queue, _ in box.observer.map { queue.remove($0) } })
            queue.add(gone)
            queue.add(leaving)
            queue.add(staying)
            queue.add(staying)
            #expect(queue.transactionObservers.count == 3)
            queue.add(SKMutablePayment("coins"))
            await staying.saw("updated coins purchased")
            #expect(leaving.calls.isEmpty, "It was removed before its turn.")
            #expect(staying.calls == ["updated coins purchasing", "updated coins purchased"])
            queue.add(leaving)
            queue.remove(gone)
            queue.add(SKMutablePayment("pro"))
            await staying.saw("updated pro purchased")
            await late.saw("updated pro purchased")
        }
    }
}

/// Implements only the required method, in an extension.
class PlainObserver: NSObject {
    let log = Log()
}

extension PlainObserver: SKPaymentTransactionObserver, SKPaymentQueueDelegate {
    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        log.append("\(transactions.count)")
    }
}

final class DerivedObserver: PlainObserver {
    func paymentQueue(_ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction]) {
        log.append("removed")
    }
}

final class PromotionObserver: NSObject, SKPaymentTransactionObserver {
    let accepts: Bool
    let log = Log()

    init(accepts: Bool) {
        self.accepts = accepts
    }

    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        transactions.forEach { log.append("\($0.payment.productIdentifier) \($0.transactionState.name)") }
    }

    func paymentQueue(_ queue: SKPaymentQueue, shouldAddStorePayment payment: SKPayment, for product: SKProduct) -> Bool
    {
        log.append("asked \(payment.productIdentifier) \(product.productIdentifier) \(payment.quantity)")
        return accepts
    }
}

final class LeavingObserver: NSObject, SKPaymentTransactionObserver {
    private let queue: SKPaymentQueue

    init(_ queue: SKPaymentQueue) {
        self.queue = queue
        super.init()
        queue.add(self)
    }

    deinit {
        queue.remove(self)
    }

    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {}
}

struct WeakObserver {
    weak var observer: Recorder?

    init(_ observer: Recorder) {
        self.observer = observer
    }
}
