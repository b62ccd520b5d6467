import Foundation
import NIOConcurrencyHelpers
@testable import StoreKit
import Testing
import TillClient
import TillEngine
import TillModel
import TillTesting

/// Changes that the store initiates: storefronts, prices, promoted purchases and revocations.
@Suite(.timeLimit(.minutes(10))) struct StorefrontTests {
    @Test(
        "S-41: a delegate that refuses or answers too late stops pending purchases in another storefront",
        arguments: [
            (nil, true), (true, true), (false, true), (true, false),
        ] as [(Bool?, Bool)]
    )
    func aDelegateStopsAPurchase(_ answer: Bool?, _ isInTime: Bool) async throws {
        try await StoreHarness.run { store in
            try await store.set(.askToBuy, "true")
            let queue = store.queue(storefrontAnswer: isInTime ? .seconds(60) : .nanoseconds(-1))
            let (delegate, observer) = (DecidingDelegate(goesOn: answer ?? true), Recorder())
            queue.add(observer)
            queue.delegate = answer == nil ? nil : delegate
            queue.add(SKMutablePayment("coins"))
            await observer.saw("updated coins deferred")
            try await store.set(.storefront, "DEU")
            await observer.saw("storefront")
            if answer ?? true, isInTime {
                #expect(queue.transactions.map(\.transactionState) == [.deferred])
            } else {
                await observer.saw("updated coins failed")
                #expect((observer.updated.last?.error as? SKError)?.code == .storeProductNotAvailable)
            }
            #expect(delegate.log.lines == (answer == nil ? [] : ["coins DEU"]))
        }
    }

    @Test("S-41: payments that the daemon has not received are stopped in another storefront too")
    func aDelegateStopsPaymentsThatWaitForTheDaemon() async throws {
        try await StoreHarness.runUnserved { store in
            let queue = store.queue { $0.callTimeout = .milliseconds(1) }
            let (delegate, observer) = (DecidingDelegate(goesOn: false), Recorder())
            queue.add(observer)
            queue.delegate = delegate
            queue.add(SKMutablePayment("coins"))
            await observer.saw("updated coins purchasing")
            let daemonConnection = try #require(queue.connection?.daemonConnection)
            await daemonConnection.change(to: Storefront(countryCode: "DEU", identifier: "143443"))
            try await store.serving { await observer.saw("updated coins failed") }
            #expect((observer.updated.last?.error as? SKError)?.code == .storeProductNotAvailable)
            #expect(try await store.stored().isEmpty)
        }
    }

    @Test("S-42: observers are notified of another storefront and can read it")
    func observersAreNotifiedOfAnotherStorefront() async throws {
        try await StoreHarness.runUnserved { store in
            let (queue, observer) = (store.queue(wait: .milliseconds(1)), Recorder())
            #expect(queue.storefront == nil)
            queue.add(observer)
            try await store.serving {
                while queue.storefront?.countryCode != "USA" { try await Task.yieldUnlessCancelled() }
                #expect(queue.storefront?.identifier == "143441")
                queue.add(SKMutablePayment("coins"))
                await observer.saw("updated coins purchased")
                try await store.set(.storefront, "DEU")
                await observer.saw("storefront")
            }
            #expect(
                queue.storefront?.countryCode == "DEU",
                "The last known storefront is returned while the daemon is unavailable."
            )
        }
    }

    @Test("S-43: a delegate is asked about a higher price when the first observer is added")
    func aDelegateIsAskedAboutPrices() async throws {
        try await StoreHarness.run { store in
            let bought = try await store.own("gold")
            try await store.operatorClient.requestPriceConsent(bought.id, amount: 20, because: "test")
            let (queue, delegate) = (store.queue(), DecidingDelegate(goesOn: true))
            queue.delegate = delegate
            queue.add(Recorder.kept)
            await delegate.log.until { $0 == ["consent"] }
            queue.showPriceConsentIfNeeded()
            queue.remove(Recorder.kept)
        }
    }

    @Test("S-44: a promoted purchase is added if an observer wants it", arguments: [nil, false, true])
    func aPromotedPurchaseIsOffered(_ accepts: Bool?) async throws {
        try await StoreHarness.run { store in
            let (queue, observer) = store.observed()
            let promoted = accepts.map { PromotionObserver(accepts: $0) }
            promoted.map { queue.add($0) }
            try await store.operatorClient.promote(
                Payment(productID: "coins", quantity: 2),
                toApplication: StoreHarness.application,
                account: store.name.account,
                because: "test"
            )
            queue.add(SKMutablePayment("pro"))
            if accepts == true {
                await observer.saw("updated coins purchased")
            }
            await observer.saw("updated pro purchased")
            await promoted?.log.until { $0.contains("asked coins coins 2") }
            #expect(try await store.stored().contains { $0.payment.productID == "coins" } == (accepts == true))
        }
    }

    @Test("S-44: a promoted purchase that is requested again after it was finished is removed from the queue")
    func aPromotedPurchaseThatIsFinishedIsRemoved() async throws {
        try await StoreHarness.run { store in
            let payment = Payment(productID: "coins")
            try await store.operatorClient.promote(
                payment,
                toApplication: StoreHarness.application,
                account: store.name.account,
                because: "test"
            )
            try await store.own(payment)
            let own = DispatchQueue(label: "own")
            let queue = store.queue(callbackQueue: CallbackQueue(queue: own))
            let (promoted, observer) = (PromotionObserver(accepts: true), Recorder())
            // No question is asked before both exist.
            own.suspend()
            queue.add(promoted)
            queue.add(observer)
            own.resume()
            await observer.saw("removed coins")
            #expect(queue.transactions.isEmpty)
            #expect(store.provider.scripted.charges.count == 1)
            withExtendedLifetime(promoted) {}
        }
    }

    @Test("S-45: a refund is reported by its product identifiers, finished or not", arguments: [false, true])
    func aRefundIsReported(_ isFinished: Bool) async throws {
        try await StoreHarness.run { store in
            let (queue, observer) = store.observed(finishes: isFinished)
            queue.add(SKMutablePayment("pro"))
            await observer.saw(isFinished ? "removed pro" : "updated pro purchased")
            let id = try #require(try await store.stored().first?.id)
            try await store.operatorClient.refund(RefundOrder(transactionID: id), because: "test")
            await observer.saw("revoked pro")
            let receipt = try String(contentsOf: try #require(queue.connection?.receiptURL), encoding: .utf8)
            #expect(receipt == "org.example.notes.pro.purchased.499-USD.revoked-1.USA")
        }
    }

    @Test("S-45: a transaction that was refunded before it was finished is still delivered and can be finished")
    func aRefundedUnfinishedTransactionIsDelivered() async throws {
        try await StoreHarness.run { store in
            let (first, before) = store.observed()
            first.add(SKMutablePayment("pro"))
            await before.saw("updated pro purchased")
            await first.connection?.disconnect()
            let id = try #require(try await store.stored().first?.id)
            try await store.operatorClient.refund(RefundOrder(transactionID: id), because: "test")
            let (later, observer) = store.observed(finishes: true)
            await observer.saw("removed pro")
            await observer.saw("revoked pro")
            #expect(observer.calls.first == "updated pro purchased")
            #expect(later.transactions.isEmpty)
        }
    }
}

final class DecidingDelegate: NSObject, SKPaymentQueueDelegate {
    let log = Log()
    private let goesOn: Bool

    init(goesOn: Bool) {
        self.goesOn = goesOn
    }

    func paymentQueue(
        _ paymentQueue: SKPaymentQueue,
        shouldContinue transaction: SKPaymentTransaction,
        in newStorefront: SKStorefront
    ) -> Bool {
        log.append("\(transaction.payment.productIdentifier) \(newStorefront.countryCode)")
        return goesOn
    }

    func paymentQueueShouldShowPriceConsent(_ paymentQueue: SKPaymentQueue) -> Bool {
        log.append("consent")
        return goesOn
    }
}

extension Recorder {
    fileprivate static let kept = Recorder()
}
