import StoreKit

/// A store with closures, which wraps the queue as many applications do.
open class PurchaseStore: NSObject {
    public typealias PurchaseCompletion = (PurchaseResult) -> Void
    public typealias RestoreCompletion = (_ products: [String], _ error: Error?) -> Void

    private let queue: PaymentQueueing
    private var purchases: [(payment: SKPayment, completion: PurchaseCompletion)] = []
    private var restore: RestoreCompletion?
    private var restored: [String] = []
    private var products: [SKRequest: (Result<[SKProduct], Error>) -> Void] = [:]
    private var answers: [SKRequest: [SKProduct]] = [:]
    public var onRevocation: ([String]) -> Void = { _ in }

    public init(queue: PaymentQueueing = SKPaymentQueue.default()) {
        self.queue = queue
        super.init()
        queue.add(self)
    }

    deinit {
        queue.remove(self)
    }

    public func retrieve(_ identifiers: Set<String>, completion: @escaping (Result<[SKProduct], Error>) -> Void) {
        let request = SKProductsRequest(productIdentifiers: identifiers)
        request.delegate = self
        products[request] = completion
        request.start()
    }

    public func purchase(_ product: SKProduct, quantity: Int = 1, completion: @escaping PurchaseCompletion) {
        let payment = SKMutablePayment(product: product)
        payment.quantity = quantity
        payment.applicationUsername = "user"
        queue.add(payment)
        purchases.append((payment, completion))
    }

    public func restore(completion: @escaping RestoreCompletion) {
        restore = completion
        restored = []
        queue.restoreCompletedTransactions(withApplicationUsername: nil)
    }

    private func result(of transaction: SKPaymentTransaction) -> PurchaseResult? {
        switch transaction.transactionState {
        case .purchasing, .restored: return nil
        case .deferred: return .deferred
        case .purchased:
            return .purchased(
                Transaction(
                    identifier: transaction.transactionIdentifier,
                    productIdentifier: transaction.payment.productIdentifier
                )
            )
        case .failed:
            if (transaction.error as? SKError)?.code == .paymentCancelled {
                return .cancelled
            }
            return .failed(transaction.error ?? SKError(.unknown))
        @unknown default: return nil
        }
    }
}

extension PurchaseStore: SKPaymentTransactionObserver {
    public func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        for transaction in transactions {
            if transaction.transactionState == .restored {
                restored.append(transaction.original?.payment.productIdentifier ?? "")
                self.queue.finishTransaction(transaction)
                continue
            }
            guard let result = result(of: transaction) else { continue }
            if case .deferred = result {} else { self.queue.finishTransaction(transaction) }
            if let index = purchases.firstIndex(where: { $0.payment == transaction.payment }) {
                purchases.remove(at: index).completion(result)
            }
        }
    }

    public func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) {
        restore?(restored, nil)
        restore = nil
    }

    public func paymentQueue(_ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: Error) {
        restore?(restored, error)
        restore = nil
    }

    public func paymentQueue(_ queue: SKPaymentQueue, shouldAddStorePayment payment: SKPayment, for product: SKProduct)
        -> Bool
    {
        true
    }

    public func paymentQueue(
        _ queue: SKPaymentQueue,
        didRevokeEntitlementsForProductIdentifiers productIdentifiers: [String]
    ) {
        onRevocation(productIdentifiers)
    }
}

extension PurchaseStore: SKProductsRequestDelegate {
    public func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
        answers[request] = response.products
    }

    public func requestDidFinish(_ request: SKRequest) {
        products.removeValue(forKey: request)?(.success(answers.removeValue(forKey: request) ?? []))
    }

    public func request(_ request: SKRequest, didFailWithError error: Error) {
        products.removeValue(forKey: request)?(.failure(error))
    }
}
