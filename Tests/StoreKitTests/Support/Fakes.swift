import Foundation
import StoreKit

/// Subclasses like those in applications' test suites. Their initialisers call super's only where super has several,
/// which Swift requires on Apple's systems too.
// Constant.
final class FakeTransaction: SKPaymentTransaction, @unchecked Sendable {
    private let state: SKPaymentTransactionState
    init(state: SKPaymentTransactionState) { self.state = state }
    override var transactionState: SKPaymentTransactionState { state }
}

// Constant.
final class FakeProduct: SKProduct, @unchecked Sendable {
    private let id: String
    init(id: String) { self.id = id }
    override var productIdentifier: String { id }
}

// Constant.
final class FakeResponse: SKProductsResponse, @unchecked Sendable {
    private let list: [SKProduct]
    init(products: [SKProduct]) { list = products }
    override var products: [SKProduct] { list }
}

class FakeRequest: SKProductsRequest {
    let ids: [String]
    init(ids: [String]) {
        self.ids = ids
        super.init()
    }
    private weak var other: (any SKProductsRequestDelegate)?
    override var delegate: (any SKProductsRequestDelegate)? {
        get { other }
        set { other = newValue }
    }
}

final class FakeRefresh: SKReceiptRefreshRequest {
    let isRefreshed: Bool
    init(isRefreshed: Bool) {
        self.isRefreshed = isRefreshed
        super.init()
    }
}

// Constant.
final class FakeDiscount: SKProductDiscount, @unchecked Sendable {
    private let fakePrice: Decimal
    init(price: Decimal) { fakePrice = price }
    override var price: NSDecimalNumber { NSDecimalNumber(decimal: fakePrice) }
}

// Constant.
final class FakePeriod: SKProductSubscriptionPeriod, @unchecked Sendable {
    private let fakeUnit: SKProduct.PeriodUnit
    init(unit: SKProduct.PeriodUnit) { fakeUnit = unit }
    override var unit: SKProduct.PeriodUnit { fakeUnit }
}

final class FakePayment: SKPayment {
    private let id: String
    init(id: String) { self.id = id }
    override var productIdentifier: String { id }
}

// Constant.
final class FakeStorefront: SKStorefront, @unchecked Sendable {
    private let code: String
    init(code: String) { self.code = code }
    override var countryCode: String { code }
}

// Constant.
final class FakeDownload: SKDownload, @unchecked Sendable {
    private let fakeProgress: Float
    init(progress: Float) { fakeProgress = progress }
    override var progress: Float { fakeProgress }
}

// Constant.
final class FakeQueue: SKPaymentQueue, @unchecked Sendable {
    let isSpy: Bool
    init(isSpy: Bool) { self.isSpy = isSpy }
    override class func `default`() -> Self { super.default() }
}

// Without state.
final class QueueWithPaymentsDisabled: SKPaymentQueue, @unchecked Sendable {
    override class func canMakePayments() -> Bool { false }
}

// Without state.
class SpyQueue: SKPaymentQueue, @unchecked Sendable {
    static let shared = SpyQueue()
    override class func `default`() -> Self { (shared as? Self) ?? super.default() }
}

protocol PaymentQueueing: AnyObject {
    func add(_ observer: any SKPaymentTransactionObserver)
    func remove(_ observer: any SKPaymentTransactionObserver)
    func add(_ payment: SKPayment)
    func start(_ downloads: [SKDownload])
    func pause(_ downloads: [SKDownload])
    func resume(_ downloads: [SKDownload])
    func cancel(_ downloads: [SKDownload])
    func restoreCompletedTransactions(withApplicationUsername username: String?)
    func finishTransaction(_ transaction: SKPaymentTransaction)
}

extension SKPaymentQueue: PaymentQueueing {}
