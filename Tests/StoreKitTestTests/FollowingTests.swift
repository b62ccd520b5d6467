import Dispatch
import Foundation
import NIOConcurrencyHelpers
import StoreKitTest
import Testing
import TillClient

/// The process has one queue, so each of these tests runs in its own process.
@Suite(.timeLimit(.minutes(10))) struct FollowingTests {
    @Test func theProcessesQueueBuysInTheLastSession() async {
        await #expect(processExitsWith: .success) {
            let shop = Shop()
            let first = try SKTestSession(contentsOf: try Store.file())
            try shop.buy(Store.coins)
            let second = try SKTestSession(contentsOf: try Store.file())
            try shop.buy(Store.pro)
            try shop.check(first.summary == ["coins10 purchased"], "the first session")
            try shop.check(second.summary == ["pro purchased"], "the second session")
        }
    }

    @Test func theQueueReturnsToThePreviousSession() async {
        await #expect(processExitsWith: .success) {
            let shop = Shop()
            let first = try SKTestSession(configurationFileNamed: "Notes")
            for _ in 0..<20 {
                _ = try SKTestSession(configurationFileNamed: "Notes")
            }
            try shop.buy(Store.coins)
            try shop.check(first.summary == ["coins10 purchased"], "the session")
        }
    }

    @Test func theQueueReturnsToItsPreviousDaemon() async {
        await #expect(processExitsWith: .success) {
            SKPaymentQueue.connect(socketPath: "/nowhere/till.sock", application: "org.example.before")
            for _ in 0..<2 {
                let outer = try SKTestSession(configurationFileNamed: "Notes")
                _ = try SKTestSession(configurationFileNamed: "Notes")
                withExtendedLifetime(outer) {}
            }
            guard let configuration = SKPaymentQueue.process.connection?.configuration,
                configuration.application == "org.example.before", configuration.socketPath == "/nowhere/till.sock"
            else {
                throw SKTestError(.invalidAction, userInfo: [:])
            }
        }
    }

    @Test func aSessionsQueueIsIsolatedFromOtherSessions() async {
        await #expect(processExitsWith: .success) {
            let session = try SKTestSession(configurationFileNamed: "Notes")
            let newest = try SKTestSession(configurationFileNamed: "Notes")
            try session.withQueue {
                let shop = Shop()
                try shop.buy(Store.coins)
                withExtendedLifetime(shop) {}
            }
            let shop = Shop()
            try shop.buy(Store.pro)
            try shop.check(session.summary == ["coins10 purchased"], "the session")
            try shop.check(newest.summary == ["pro purchased"], "the newest session")
        }
    }

    @Test func theQueueFollowsTheSessionAcrossRestarts() async {
        await #expect(processExitsWith: .success) {
            let shop = Shop()
            let session = try SKTestSession(configurationFileNamed: "Notes")
            try shop.buy(Store.monthly)
            try session.forceRenewalOfSubscription(productIdentifier: Store.monthly)
            try shop.wait(for: Store.monthly)
            try session.killServer()
            try session.restartServer()
            try session.buyProduct(productIdentifier: Store.coins)
            try shop.wait(for: Store.coins)
            session.clearTransactions()
            try shop.buy(Store.pro)
            try shop.check(session.summary == ["pro purchased"], "the session")
        }
    }
}

/// An application of the process's queue that finishes every purchase.
private final class Shop: NSObject, SKPaymentTransactionObserver, Sendable {
    private static let patience = DispatchTimeInterval.seconds(60)

    private let purchased = DispatchSemaphore(value: 0)
    private let products = NIOLockedValueBox<[String]>([])

    override init() {
        super.init()
        SKPaymentQueue.deliveryQueue = DispatchQueue(label: "shop")
        SKPaymentQueue.default().add(self)
    }

    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        for transaction in transactions where transaction.transactionState == .purchased {
            products.withLockedValue { $0.append(transaction.payment.productIdentifier) }
            queue.finishTransaction(transaction)
            purchased.signal()
        }
    }

    func buy(_ product: String) throws {
        let payment = SKMutablePayment()
        payment.productIdentifier = product
        SKPaymentQueue.default().add(payment)
        try wait(for: product)
    }

    /// Waits for the next purchase, which must be of the product.
    func wait(for product: String) throws {
        try check(purchased.wait(timeout: .now() + Self.patience) == .success, "a purchase of \(product)")
        let next = products.withLockedValue { $0.isEmpty ? nil : $0.removeFirst() }
        try check(next == product, "\(product), not \(next ?? "nothing")")
    }

    /// A thrown error makes the process exit with a failure.
    func check(_ isTrue: Bool, _ what: String) throws {
        guard isTrue else {
            throw SKTestError(.invalidAction, userInfo: [NSLocalizedDescriptionKey: "Expected \(what)."])
        }
    }
}
