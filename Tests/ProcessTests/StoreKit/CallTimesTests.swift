import FaultRuns
import Foundation
import Glibc
import ProcessTesting
import StoreKit
import Testing
import TillClient
import TillTesting

/// The table of times in `MovingToLinux.md`, with a daemon in every state that an application may encounter.
@Suite(.timeLimit(.minutes(10)))
struct CallTimesTests {
    enum Daemon: CaseIterable {
        /// No daemon is listening.
        case absent
        /// The daemon accepts the connection, and never answers.
        case hanging
        /// The daemon answers Hello, and then hangs.
        case hangingLater
        /// The daemon hangs, and is killed during the calls.
        case dying
        /// The daemon hangs and is killed, and another one serves a little later.
        case returning
    }

    /// Shorter than the default timeout, to keep the test short. Blocking calls have the real timeout.
    private static let callTimeout = Duration.seconds(4)
    private static let restoreTimeout = Duration.seconds(6)
    /// The delay that a loaded machine may add.
    private static let slack = Duration.seconds(2)
    /// The maximum time of calls that do not wait for the daemon.
    private static let atOnce = Duration.seconds(1)

    @Test(arguments: Daemon.allCases, [false, true])
    func everyCallEndsInItsTime(_ state: Daemon, isObserved: Bool) async throws {
        try await Site.with { site in
            let queue = SKPaymentQueue(connection: connection(to: site))
            let observer = EndObserver()
            if isObserved {
                queue.add(observer)
            }
            let daemon = try await bring(state, at: site, queue)
            let requests = await callAtOnce(queue)
            await expectOneWait(queue)
            if state == .dying || state == .returning {
                await daemon?.killNow()
            }
            if state == .returning {
                _ = try site.startDaemon()
            }
            for request in requests {
                let end = await request.end(within: Self.callTimeout + Self.slack)
                #expect(end != nil, "A request did not end.")
            }
            if !isObserved {
                queue.add(observer)
            }
            let end = await observer.end(within: Self.restoreTimeout + Self.slack)
            #expect(end != nil, "The restore did not end.")
            if state == .returning {
                try await site.waitUntilServing()
                let request = products(queue)
                #expect(await request.end(within: Self.callTimeout + Self.slack) == "finished")
            }
            await queue.connection?.disconnect()
        }
    }

    private func connection(to site: Site) -> StoreConnection {
        var configuration = ClientConfiguration(application: Site.application, socketPath: site.socket)
        configuration.callTimeout = Self.callTimeout
        configuration.restoreTimeout = Self.restoreTimeout
        return StoreConnection(
            configuration,
            receiptPath: site.path("receipt"),
            callbackQueue: CallbackQueue(queue: DispatchQueue(label: "calls"))
        )
    }

    /// Brings the daemon into the tested state.
    private func bring(_ state: Daemon, at site: Site, _ queue: SKPaymentQueue) async throws -> ChildProcess? {
        guard state != .absent else {
            return nil
        }
        let daemon = try await site.startServingDaemon()
        if state != .hanging {
            let request = products(queue)
            #expect(await request.end(within: Self.callTimeout + Self.slack) == "finished")
        }
        daemon.signal(SIGSTOP)
        return daemon
    }

    /// Makes every call that returns at once, and returns the requests whose ends follow.
    private func callAtOnce(_ queue: SKPaymentQueue) async -> [RequestEnd] {
        let start = ContinuousClock.now
        let requests = await offPool {
            let payment = SKMutablePayment()
            payment.productIdentifier = TestStore.coins
            queue.add(payment)
            let other = EndObserver()
            queue.add(other)
            queue.remove(other)
            queue.finishTransaction(PurchasedElsewhere())
            queue.restoreCompletedTransactions()
            queue.start([SKDownload()])
            queue.pause([SKDownload()])
            queue.resume([SKDownload()])
            queue.cancel([SKDownload()])
            queue.delegate = nil
            queue.showPriceConsentIfNeeded()
            queue.presentCodeRedemptionSheet()
            let given = SKProductsRequest(productIdentifiers: [TestStore.coins])
            return SKPaymentQueue.$replacement.withValue(queue) {
                #expect(SKPaymentQueue.default() === queue)
                #expect(SKPaymentQueue.receiptURL != nil && queue.delegate == nil)
                #expect(queue.transactionObservers.count <= 1)
                given.start()
                given.cancel()
                return [RequestEnd(products: true), RequestEnd(products: false)]
            }
        }
        #expect(.now - start < Self.atOnce)
        return requests
    }

    private func products(_ queue: SKPaymentQueue) -> RequestEnd {
        SKPaymentQueue.$replacement.withValue(queue) { RequestEnd(products: true) }
    }

    /// Expects that one of the blocking calls waits for the daemon, and that the others return the known state.
    private func expectOneWait(_ queue: SKPaymentQueue) async {
        var waits: [Duration] = []
        for number in 0..<6 {
            let start = ContinuousClock.now
            await offPool {
                SKPaymentQueue.$replacement.withValue(queue) {
                    _ = number % 2 == 0 ? SKPaymentQueue.canMakePayments() : queue.storefront == nil
                }
            }
            waits.append(.now - start)
        }
        #expect(waits[0] < StoreConnection.waitDefault + Self.atOnce)
        #expect(waits.dropFirst().allSatisfy { $0 < Self.atOnce }, "\(waits)")
    }
}

/// A request under way, and its end.
// The object does not change.
private final class RequestEnd: NSObject, SKProductsRequestDelegate, @unchecked Sendable {
    private let request: SKRequest
    private let ends = End()

    /// Starts a request for products, or one that refreshes the receipt.
    init(products: Bool) {
        request = products ? SKProductsRequest(productIdentifiers: [TestStore.coins]) : SKReceiptRefreshRequest()
        super.init()
        (request as SKRequest).delegate = self
        request.start()
    }

    func end(within limit: Duration) async -> String? {
        await ends.first(within: limit)
    }

    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {}

    func requestDidFinish(_ request: SKRequest) {
        ends.report("finished")
    }

    func request(_ request: SKRequest, didFailWithError error: any Error) {
        ends.report("\(error)")
    }
}

// The object has no state.
private final class PurchasedElsewhere: SKPaymentTransaction, @unchecked Sendable {
    override var transactionState: SKPaymentTransactionState { .purchased }
}

/// Observes how a restore ends.
private final class EndObserver: NSObject, SKPaymentTransactionObserver, Sendable {
    private let ends = End()

    func end(within limit: Duration) async -> String? {
        await ends.first(within: limit)
    }

    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {}

    func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) {
        ends.report("finished")
    }

    func paymentQueue(_ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error) {
        ends.report("\(error)")
    }
}

/// An operation that ends once.
private struct End: Sendable {
    private let reports: AsyncStream<String>
    private let continuation: AsyncStream<String>.Continuation

    init() {
        (reports, continuation) = AsyncStream.makeStream(of: String.self, bufferingPolicy: .bufferingOldest(1))
    }

    func report(_ end: String) {
        continuation.yield(end)
    }

    /// How the operation ended; nil if it did not end within this time.
    func first(within limit: Duration) async -> String? {
        await withTaskGroup(of: String?.self) { group in
            group.addTask { await reports.first { _ in true } }
            group.addTask {
                await Alarm.after(limit)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }
}
