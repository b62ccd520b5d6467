import Foundation
import StoreKit
import Testing
import TillModel

/// The module's API as code for Apple's systems needs it. Most of it is proved by compiling.
@Suite struct ShapeTests {
    @Test("C3: canImport(StoreKit) is true for any target that depends on the product")
    func theModuleCanBeImported() {
        #if canImport(StoreKit)
            let canImport = true
        #else
            let canImport = false
        #endif
        #expect(canImport)
    }

    @Test("C5: every class can be subclassed with an initialiser that does not call super's")
    func everyClassCanBeSubclassed() {
        #expect(FakeTransaction(state: .restored).transactionState == .restored)
        #expect(FakeProduct(id: "a").productIdentifier == "a")
        #expect(FakeResponse(products: [FakeProduct(id: "b")]).products.first?.productIdentifier == "b")
        #expect(FakeRequest(ids: ["c"]).ids == ["c"])
        #expect(FakeDiscount(price: 1).price == 1)
        #expect(FakePeriod(unit: .year).unit == .year)
        #expect(FakePayment(id: "d").productIdentifier == "d")
        #expect(FakeRefresh(isRefreshed: true).isRefreshed)
        #expect(FakeStorefront(code: "DEU").countryCode == "DEU")
        #expect(FakeQueue(isSpy: true).transactions.isEmpty)
        #expect(FakeDownload(progress: 0.5).progress == 0.5)
    }

    @Test("C6: getters of empty objects do not trap")
    func emptyObjectsDoNotTrap() {
        let transaction = SKPaymentTransaction()
        #expect(transaction.error == nil && transaction.original == nil && transaction.transactionDate == nil)
        #expect(transaction.transactionIdentifier == nil && transaction.transactionReceipt == nil)
        #expect(transaction.payment.productIdentifier.isEmpty && transaction.transactionState == .purchasing)
        let payment = SKPayment()
        #expect(payment.quantity == 1 && payment.requestData == nil && payment.applicationUsername == nil)
        #expect(!payment.simulatesAskToBuyInSandbox && payment.paymentDiscount == nil)
        let product = SKProduct()
        #expect(product.price == 0 && product.localizedTitle.isEmpty && product.localizedDescription.isEmpty)
        #expect(product.subscriptionPeriod == nil && product.introductoryPrice == nil && product.discounts.isEmpty)
        #expect(!product.isDownloadable && !product.isFamilyShareable && product.contentLengths.isEmpty)
        let queue = SKPaymentQueue()
        #expect(queue.storefront == nil && queue.delegate == nil && queue.transactionObservers.isEmpty)
        queue.add(SKMutablePayment("a"))
        queue.restoreCompletedTransactions()
        queue.finishTransaction(FakeTransaction(state: .purchased))
        #expect(queue.transactions.isEmpty)
        let response = SKProductsResponse()
        #expect(response.products.isEmpty && response.invalidProductIdentifiers.isEmpty)
        #expect(SKStorefront().countryCode.isEmpty && SKPaymentDiscount().identifier.isEmpty)
        #expect(SKProductSubscriptionPeriod().numberOfUnits == 0 && SKProductDiscount().identifier == nil)
    }

    @Test("C7: default() is the singleton, a default argument, and overridable")
    func defaultIsOverridable() {
        func take(queue: SKPaymentQueue = .default()) -> SKPaymentQueue { queue }
        #expect(take() === SKPaymentQueue.default())
        #expect(SpyQueue.default() === SpyQueue.shared)
    }

    @Test("C8: canMakePayments() can be overridden and called through the type of a queue")
    func canMakePaymentsIsCalledThroughTheType() {
        let queue: SKPaymentQueue = QueueWithPaymentsDisabled()
        #expect(!type(of: queue).canMakePayments())
    }

    @Test("C9: an extension can make the queue conform to a protocol of another module")
    func anExtensionAddsAConformanceToTheQueue() {
        let queue: any PaymentQueueing = SKPaymentQueue()
        queue.restoreCompletedTransactions(withApplicationUsername: nil)
        queue.start([])
        queue.pause([])
        queue.resume([])
        queue.cancel([])
        queue.add(SKMutablePayment("a"))
        let observer = Recorder()
        queue.add(observer)
        queue.remove(observer)
        queue.finishTransaction(FakeTransaction(state: .purchased))
    }

    @Test("C10: a payment of a product is mutable too, and is copied both ways")
    func paymentsAreCopied() throws {
        let payment = SKMutablePayment(product: FakeProduct(id: "a"))
        payment.quantity = 3
        payment.applicationUsername = "u"
        payment.requestData = Data([1])
        payment.simulatesAskToBuyInSandbox = true
        let discount = SKPaymentDiscount(
            identifier: "i",
            keyIdentifier: "k",
            nonce: UUID(),
            signature: "s",
            timestamp: 5
        )
        payment.paymentDiscount = discount
        #expect(payment.paymentDiscount === discount)
        let copy = try #require(payment.copy() as? SKPayment)
        #expect(!(copy is SKMutablePayment))
        #expect(copy == payment)
        payment.quantity = 4
        #expect(copy.quantity == 3)
        let mutable = try #require(copy.mutableCopy() as? SKMutablePayment)
        mutable.productIdentifier = "b"
        #expect(copy.productIdentifier == "a")
        #expect(SKPayment(product: FakeProduct(id: "c")).productIdentifier == "c")
    }

    @Test(
        "C11: payments are equal by value",
        arguments: [
            { $0.quantity = 2 }, { $0.productIdentifier = "b" }, { $0.applicationUsername = "v" },
            { $0.requestData = Data() }, { $0.simulatesAskToBuyInSandbox = true },
            { $0.paymentDiscount = SKPaymentDiscount() },
        ] as [@Sendable (SKMutablePayment) -> Void]
    )
    func paymentsAreEqualByValue(_ change: @Sendable (SKMutablePayment) -> Void) {
        let (one, other) = (SKMutablePayment("a", username: "u"), SKMutablePayment("a", username: "u"))
        #expect(one == other && one.hash == other.hash)
        change(other)
        #expect(one != other)
        change(one)
        #expect(one == other && Set([one, other]).count == 1)
    }

    @Test("C12: a request's delegate is assigned through either type, held weakly, in one place")
    func aDelegateIsSharedByBothTypes() {
        let request = SKProductsRequest(productIdentifiers: [])
        let base: SKRequest? = request
        let delegate = ProductsDelegate()
        request.delegate = delegate
        #expect(base?.delegate === delegate)
        base?.delegate = nil
        #expect(request.delegate == nil)
        base?.delegate = delegate
        #expect(request.delegate === delegate)
        do {
            let brief = ProductsDelegate()
            base?.delegate = brief
        }
        #expect(request.delegate == nil)
        let path = \SKProductsRequest.delegate
        request[keyPath: path] = delegate
        #expect(FakeRequest(ids: []).delegate == nil && request.delegate === delegate)
    }

    @Test("C13: requests and transactions are keys by identity")
    func requestsAreKeys() {
        let (one, other) = (SKRequest(), SKRequest())
        let requests: [SKRequest: Int] = [one: 1, other: 2]
        #expect(requests[one] == 1 && requests[other] == 2)
        let (first, second) = (SKPaymentTransaction(), SKPaymentTransaction())
        let transactions: [SKPaymentTransaction: Int] = [first: 1, second: 2]
        #expect(transactions[first] == 1 && transactions[second] == 2)
    }

    @Test("C14: the types are Sendable that are Sendable in Apple's headers")
    func sendability() {
        func isSendable<Value>(_: Value.Type) -> Bool { false }
        func isSendable<Value: Sendable>(_: Value.Type) -> Bool { true }
        #expect(isSendable(SKPaymentQueue.self) && isSendable(SKPaymentTransaction.self) && isSendable(SKProduct.self))
        #expect(isSendable(SKProductDiscount.self) && isSendable(SKProductSubscriptionPeriod.self))
        #expect(isSendable(SKProductsResponse.self) && isSendable(SKPaymentDiscount.self))
        #expect(isSendable(SKStorefront.self) && isSendable(SKError.self) && isSendable(SKError.Code.self))
    }

    @Test("C15: a discount is created from a UUID and a number")
    func aDiscountIsCreatedFromItsParts() {
        let nonce = UUID()
        let discount = SKPaymentDiscount(
            identifier: "i",
            keyIdentifier: "k",
            nonce: nonce,
            signature: "s",
            timestamp: NSNumber(value: 1_700_000_000_000)
        )
        #expect(discount.identifier == "i" && discount.keyIdentifier == "k" && discount.signature == "s")
        #expect(discount.nonce == nonce && discount.timestamp == 1_700_000_000_000)
    }

    @Test("C16: key-value coding is missing, but no library that compiles needs it")
    func keyValueCodingIsMissing() throws {
        // A method of the class itself would be called instead of the probe's method.
        let answers: [Any] = [
            SKMutablePayment().setValue(1, forKey: "quantity"), SKProduct().setValue(1, forKey: "price"),
            SKPaymentTransaction().setValue(1, forKey: "transactionState"),
        ]
        #expect(answers.compactMap { $0 as? KeyValueAnswer }.count == answers.count)
        try MovingPage.explains("C16", "setValue(_:forKey:)")
    }
}

/// Declares the method that `NSObject` has on Apple's systems, for classes without it.
private protocol KeyValueProbe {}

private struct KeyValueAnswer {}

extension KeyValueProbe {
    fileprivate func setValue(_ value: Any?, forKey key: String) -> KeyValueAnswer { KeyValueAnswer() }
}

extension SKPayment: KeyValueProbe {}
extension SKProduct: KeyValueProbe {}
extension SKPaymentTransaction: KeyValueProbe {}
