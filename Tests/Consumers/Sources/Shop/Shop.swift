import StoreKit

#if MODE_5
    import PurchaseKit5
#else
    import PurchaseKit6
#endif

/// Buys, restores, and waits for a refund by the operator. Everything happens on the main queue.
final class Shop {
    private let coins = "org.example.notes.coins10"
    private let pro = "org.example.notes.pro"
    private let store = PurchaseStore()

    func run() {
        store.onRevocation = { products in
            check(products == [self.pro], "a refund is reported")
            exit(0)
        }
        check(SKPaymentQueue.canMakePayments(), "payments can be made")
        check(SKPaymentQueue.default().storefront?.countryCode == "USA", "the storefront is known")
        store.retrieve([coins, pro, "unknown"]) { result in
            guard let products = try? result.get(), products.count == 2 else {
                return check(false, "products are retrieved")
            }
            check(products.allSatisfy { $0.priceLocale.currency?.identifier == "USD" }, "products have prices")
            self.buy(products.sorted { $0.productIdentifier < $1.productIdentifier })
        }
    }

    private func buy(_ products: [SKProduct]) {
        guard let product = products.first else {
            return restore()
        }
        store.purchase(product) { result in
            guard case .purchased(let transaction) = result else {
                return check(false, "\(product.productIdentifier) is bought: \(result)")
            }
            check(transaction.productIdentifier == product.productIdentifier, "\(product.productIdentifier) is bought")
            self.buy(Array(products.dropFirst()))
        }
    }

    private func restore() {
        store.restore { products, error in
            check(error == nil && products == [self.pro], "the non-consumable is restored")
            say("waiting for the refund")
        }
    }
}
