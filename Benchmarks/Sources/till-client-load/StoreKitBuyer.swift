import Dispatch
import StoreKit

/// Buys again whenever a purchase is removed from the queue.
// Everything except the wait for the end happens on the queue of the callbacks.
final class StoreKitBuyer: NSObject, SKPaymentTransactionObserver, @unchecked Sendable {
    private let load: LoadOptions
    private let isAtEnd = DispatchSemaphore(value: 0)
    /// Nil until the first payment has ended, because that one includes the connection.
    private var period: Period?
    private var added = Moment.now
    private var latencies: [UInt32] = []

    init(_ load: LoadOptions) {
        self.load = load
    }

    func buy() {
        let payment = SKMutablePayment()
        payment.productIdentifier = Daemon.product
        added = .now
        SKPaymentQueue.default().add(payment)
    }

    func waitForEnd() -> [UInt32] {
        isAtEnd.wait()
        return latencies
    }

    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        for transaction in transactions where transaction.transactionState == .purchased {
            queue.finishTransaction(transaction)
        }
    }

    func paymentQueue(_ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction]) {
        let now = Moment.now
        let period = period ?? load.period()
        self.period = period
        if let latency = period.latency(from: added, to: now) {
            latencies.append(latency)
        }
        if period.isOver(at: now) {
            isAtEnd.signal()
        } else {
            buy()
        }
    }
}
