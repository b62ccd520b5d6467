import Foundation
import NIOConcurrencyHelpers
@testable import StoreKit
import Testing
import TillClient
import TillModel

@Suite(.timeLimit(.minutes(10))) struct RequestTests {
    /// Starts a request with the store's queue.
    private func start(_ request: SKRequest, _ delegate: ProductsDelegate, at queue: SKPaymentQueue) {
        (request as? SKProductsRequest)?.delegate = delegate
        (request as SKRequest).delegate = delegate
        SKPaymentQueue.$replacement.withValue(queue) { request.start() }
    }

    @Test("C37: a request without references stays alive until its end, and starts once")
    func aRequestIsKept() async throws {
        try await StoreHarness.run { store in
            let (queue, delegate) = (store.queue(), ProductsDelegate())
            weak var weakRequest: SKProductsRequest?
            do {
                let request = SKProductsRequest(productIdentifiers: ["coins"])
                weakRequest = request
                start(request, delegate, at: queue)
                start(request, delegate, at: queue)
            }
            await delegate.saw("finished")
            #expect(delegate.calls == ["received coins", "finished"])
            #expect(Set(delegate.requests).count == 1)
            weakRequest?.cancel()
            weakRequest?.start()
            #expect(delegate.calls.count == 2)
        }
    }

    @Test("C38: without identifiers there are no products, and unknown identifiers are listed")
    func unknownIdentifiersAreListed() async throws {
        try await StoreHarness.run { store in
            let (queue, none, some) = (store.queue(), ProductsDelegate(), ProductsDelegate())
            start(SKProductsRequest(productIdentifiers: []), none, at: queue)
            await none.saw("finished")
            #expect(none.calls == ["received ", "finished"])
            start(SKProductsRequest(productIdentifiers: ["pro", "x", "no identifier", ""]), some, at: queue)
            await some.saw("finished")
            #expect(some.calls == ["received pro", "invalid , no identifier, x", "finished"])
        }
    }

    @Test func manyConcurrentRequestsAreAllAnswered() async throws {
        try await StoreHarness.run { store in
            let (queue, delegate) = (store.queue(), ProductsDelegate())
            for number in 0..<500 {
                let isOdd = number % 2 == 1
                let request: SKRequest =
                    isOdd ? SKReceiptRefreshRequest() : SKProductsRequest(productIdentifiers: ["coins"])
                start(request, delegate, at: queue)
            }
            await delegate.ended(500)
            #expect(delegate.calls.filter { $0 == "finished" }.count == 500)
        }
    }

    @Test("S-46: the answer arrives immediately before the end, and a failure arrives alone")
    func theAnswerArrivesImmediatelyBeforeTheEnd() async throws {
        try await StoreHarness.runUnserved { store in
            let (queue, delegate) = (store.queue { $0.callTimeout = .milliseconds(1) }, ProductsDelegate())
            start(SKProductsRequest(productIdentifiers: ["coins"]), delegate, at: queue)
            await delegate.saw("failed")
            #expect(delegate.calls == ["failed"])
        }
        try await StoreHarness.run { store in
            let (queue, delegate) = (store.queue(), ProductsDelegate())
            start(SKProductsRequest(productIdentifiers: ["coins", "pro"]), delegate, at: queue)
            await delegate.saw("finished")
            #expect(delegate.calls == ["received coins, pro", "finished"])
        }
    }

    @Test("S-47: after cancel the delegate receives no calls, even if cancelled before or within the answer")
    func theDelegateIsNotCalledAfterCancel() async throws {
        try await StoreHarness.runUnserved { store in
            let (queue, silent) = (store.queue(), ProductsDelegate())
            let request = SKProductsRequest(productIdentifiers: ["coins"])
            start(request, silent, at: queue)
            request.cancel()
            try await store.serving {
                let (cancelling, last) = (ProductsDelegate { $0.cancel() }, ProductsDelegate())
                start(SKProductsRequest(productIdentifiers: ["pro"]), cancelling, at: queue)
                await cancelling.saw("received pro")
                start(SKProductsRequest(productIdentifiers: ["pro"]), last, at: queue)
                await last.saw("finished")
                #expect(cancelling.calls == ["received pro"])
            }
            #expect(silent.calls.isEmpty)
        }
    }

    @Test("S-48: products have the store's values, in no particular order")
    func productsHaveTheStoresValues() async throws {
        try await StoreHarness.run { store in
            let (queue, delegate) = (store.queue(), ProductsDelegate())
            start(SKProductsRequest(productIdentifiers: ["silver", "pro"]), delegate, at: queue)
            await delegate.saw("finished")
            let products = Dictionary(uniqueKeysWithValues: delegate.products.map { ($0.productIdentifier, $0) })
            let pro = try #require(products["pro"])
            #expect(pro.price == NSDecimalNumber(string: "4.99") && pro.localizedTitle == "pro")
            #expect(pro.subscriptionPeriod == nil && pro.subscriptionGroupIdentifier == nil && pro.discounts.isEmpty)
            let silver = try #require(products["silver"])
            #expect(silver.subscriptionPeriod?.unit == .month && silver.subscriptionPeriod?.numberOfUnits == 1)
            #expect(silver.subscriptionGroupIdentifier == "news")
            let introductory = try #require(silver.introductoryPrice)
            #expect(introductory.paymentMode == .freeTrial && introductory.type == .introductory)
            #expect(introductory.identifier == nil && introductory.price == 0)
            #expect(introductory.subscriptionPeriod.unit == .week && introductory.numberOfPeriods == 1)
            #expect(silver.discounts.map(\.identifier) == ["winter", "spring"])
            #expect(silver.discounts.map(\.paymentMode) == [.payUpFront, .payAsYouGo])
            #expect(silver.discounts.map(\.type) == [.subscription, .subscription])
        }
    }

    @Test(
        "S-48: a price is formatted in the product's language and the price's currency",
        arguments: [
            ("en-US", "EUR", "€4.99", "en_US@currency=EUR"), ("en-US", "USD", "$4.99", "en_US@currency=USD"),
            ("de-DE", "EUR", "4,99\u{a0}€", "de_DE@currency=EUR"), ("ja-JP", "JPY", "¥5", "ja_JP@currency=JPY"),
            ("en-JP", "JPY", "¥5", "en_JP@currency=JPY"), ("zh-Hans-CN", "CNY", "¥4.99", "zh_Hans_CN@currency=CNY"),
        ]
    )
    func aPriceIsWritten(_ language: String, _ currency: String, _ text: String, _ identifier: String) throws {
        let product = SKProduct(
            Product(
                id: "a",
                type: .consumable,
                displayName: "A",
                description: "a",
                price: Price(amount: try #require(Decimal(string: "4.99")), currency: currency),
                locale: language
            )
        )
        let formatter = NumberFormatter()
        formatter.numberStyle = .currency
        formatter.locale = product.priceLocale
        #expect(formatter.string(from: product.price)?.replacing("￥", with: "¥") == text)
        #expect(product.priceLocale.currency?.identifier == currency)
        #expect(product.priceLocale.language.languageCode?.identifier == String(language.prefix(2)))
        #expect(product.priceLocale.identifier == identifier)
        #expect(product.priceLocale.region?.identifier == String(language.suffix(2)))
    }

    @Test("S-49: a refresh replaces the receipt, creates no transactions, and fails while the daemon is unavailable")
    func aRefreshEnds() async throws {
        try await StoreHarness.run { store in
            try await store.own("pro")
            let (queue, observer) = store.observed()
            for _ in 0..<2 {
                let delegate = ProductsDelegate()
                start(SKReceiptRefreshRequest(receiptProperties: [SKReceiptPropertyIsRevoked: 1]), delegate, at: queue)
                await delegate.saw("finished")
                #expect(delegate.calls == ["finished"])
                let url = try #require(queue.connection?.receiptURL)
                let receipt = try String(contentsOf: url, encoding: .utf8)
                #expect(receipt == "org.example.notes.pro.purchased.499-USD.USA")
                try "old".write(to: url, atomically: true, encoding: .utf8)
            }
            #expect(observer.calls.isEmpty)
            #expect(try await store.stored().count == 1)
        }
        try await StoreHarness.runUnserved { store in
            let (queue, delegate) = (store.queue { $0.callTimeout = .milliseconds(1) }, ProductsDelegate())
            start(SKReceiptRefreshRequest(), delegate, at: queue)
            await delegate.saw("failed")
            #expect((delegate.errors.first as? URLError)?.code == .cannotConnectToHost)
        }
    }
}
