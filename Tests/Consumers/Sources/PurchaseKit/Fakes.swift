import StoreKit

/// Fakes like those in applications' tests.
// It is used on one thread only.
open class SpyQueue: SKPaymentQueue, @unchecked Sendable {
    public private(set) var payments: [SKPayment] = []
    public private(set) var finished: [SKPaymentTransaction] = []
    private var observers: [SKPaymentTransactionObserver] = []

    open override class func canMakePayments() -> Bool { false }

    open override func add(_ observer: SKPaymentTransactionObserver) { observers.append(observer) }

    open override func remove(_ observer: SKPaymentTransactionObserver) { observers.removeAll { $0 === observer } }

    open override func add(_ payment: SKPayment) { payments.append(payment) }

    open override func finishTransaction(_ transaction: SKPaymentTransaction) { finished.append(transaction) }

    public func send(_ transactions: [SKPaymentTransaction]) {
        observers.forEach { $0.paymentQueue(self, updatedTransactions: transactions) }
    }
}

// The object does not change.
public final class FakeProduct: SKProduct, @unchecked Sendable {
    private let identifier: String

    public init(_ identifier: String) {
        self.identifier = identifier
    }

    public override var productIdentifier: String { identifier }
    public override var price: NSDecimalNumber { NSDecimalNumber(string: "0.99") }
}

// The object does not change.
public final class FakeTransaction: SKPaymentTransaction, @unchecked Sendable {
    private let fakePayment: SKPayment
    private let state: SKPaymentTransactionState
    private let fakeError: Error?

    public init(_ payment: SKPayment, _ state: SKPaymentTransactionState, error: Error? = nil) {
        fakePayment = payment
        self.state = state
        fakeError = error
    }

    public override var payment: SKPayment { fakePayment }
    public override var transactionState: SKPaymentTransactionState { state }
    public override var error: Error? { fakeError }
}

// The object does not change.
public final class FakeResponse: SKProductsResponse, @unchecked Sendable {
    private let fakeProducts: [SKProduct]

    public init(_ products: [SKProduct]) {
        fakeProducts = products
    }

    public override var products: [SKProduct] { fakeProducts }
}
