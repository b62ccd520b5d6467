import Foundation
import Testing

/// Any unmodified `.storekit` file can drive a store.
@Suite(.timeLimit(.minutes(30))) struct CatalogueScenarios {
    @Test func theCatalogueDirectoryIsNotEmpty() {
        #expect(!Catalogues.all.isEmpty, "the tests' directory, or that of TILL_CATALOGUES, has no .storekit files")
    }

    @Test(arguments: Catalogues.all)
    func everyProductIsBoughtRenewedRefundedAndRestoredAsItsFileSays(_ file: URL) async throws {
        let store = try StoreFile(file)
        try #require(!store.all.isEmpty, "the file has no products")
        try await Shop.open(file) { shop in
            if store.settings?.fails == true, let product = store.all.first {
                let failed = try await shop.buy(product.productID, exits: 1)
                #expect(failed.error?.reason == "simulated")
                try await shop.set("fail-transactions=false")
            }
            for (number, product) in store.all.enumerated() {
                // Each product has its own customer, so that subscriptions of a group do not replace each other.
                let visit = Visit(
                    shop: shop.application("org.example.customer\(number)"),
                    store: store,
                    product: product
                )
                try await visit.run()
            }
        }
    }
}

/// One customer with one product.
private struct Visit {
    let shop: Shop
    let store: StoreFile
    let product: StoreFile.Product

    func run() async throws {
        let sold: ProductLine = try await shop.till("products", product.productID).one()
        #expect(store.currency.map { $0 == sold.currency } ?? true, "\(product.productID) costs \(sold.currency)")
        let quantity = product.type == "Consumable" ? 2 : 1
        let bought = try await buy(quantity)
        #expect(bought.productID == product.productID)
        #expect(bought.quantity == quantity)
        let amount = try product.firstAmount(quantity: quantity)
        #expect(try charge(bought)?.amount ?? 0 == amount, "\(product.productID) was charged with a different price")
        #expect(try charge(bought)?.currency ?? sold.currency == sold.currency)
        if product.recurringSubscriptionPeriod != nil {
            try await renew(bought)
        }
        try await shop.till("finish", "--all")
        try await restore(isRestorable: isLasting)
        try await refund(bought, quantity, amount)
        if product.type == "NonConsumable" {
            #expect(try await shop.entitlements().isEmpty)
            try await restore(isRestorable: false)
        }
    }

    /// Buys under the file's settings: with a parent's approval, or interrupted and resolved.
    private func buy(_ quantity: Int) async throws -> TransactionLine {
        let options = ["--quantity", "\(quantity)"]
        var bought: TransactionLine
        if store.settings?.asksToBuy == true {
            bought = try await shop.buy(product.productID, options + ["--no-wait"])
            #expect(bought.blocker == "approval")
            try await shop.till("approve", bought.id)
            bought = try await shop.outcome(of: bought, exits: store.settings?.interrupts == true ? 1 : 0)
        } else {
            bought = try await shop.buy(product.productID, options, exits: store.settings?.interrupts == true ? 1 : 0)
        }
        if store.settings?.interrupts == true {
            #expect(bought.error?.reason == "interrupted")
            bought = try await shop.outcome(of: try await shop.till("resolve", bought.id).one())
        }
        #expect(bought.state == "purchased", "\(bought)")
        return bought
    }

    /// Advances to the next period, which is paid for at once or once its billing problem is resolved.
    private func renew(_ bought: TransactionLine) async throws {
        try await shop.advance(past: try await shop.subscription().expirationDate)
        if store.settings?.failsRenewals == true {
            let unpaid = try await shop.subscription()
            let hasGrace = store.settings?.hasGracePeriod == true
            #expect(unpaid.state == (hasGrace ? "in_grace_period" : "in_billing_retry_period"))
            #expect(try await shop.entitlements().isEmpty == !hasGrace)
            try await shop.till("resolve", bought.id)
        }
        // At a fast rate a period may have just ended.
        try await shop.until("the renewed subscription is not active") {
            try await shop.entitlements().map(\.productID) == [product.productID]
        }
        // At a fast rate there may be several renewals by now.
        let periods = try await shop.transactions().filter { $0.state == "purchased" }
        let renewal = try #require(periods.dropFirst().first, "the subscription is not renewed")
        #expect(renewal.original?.id == bought.id)
        #expect(renewal.subscription?.isRenewal == true)
        #expect(renewal.subscription?.startDate == bought.subscription?.expirationDate)
        #expect(try charge(renewal)?.amount == product.renewalAmount)
    }

    private func restore(isRestorable: Bool) async throws {
        let callbacks: [CallbackLine] = try await shop.till("restore").all()
        #expect(callbacks.last?.callback == CallbackLine.restoreFinished)
        let restored = callbacks.compactMap(\.transaction)
        #expect(restored.isEmpty == !isRestorable)
        #expect(callbacks.last?.restoredCount == restored.count)
        #expect(restored.allSatisfy { $0.productID == product.productID && $0.state == "restored" })
        try await shop.till("finish", "--all")
    }

    /// Refunds one unit of the purchase.
    private func refund(_ bought: TransactionLine, _ quantity: Int, _ amount: Int) async throws {
        let refunded: RefundedLine = try await shop.till("refund", bought.id, "--quantity", "1").one()
        #expect(refunded.refund.amount == amount / quantity)
        #expect(refunded.refund.state == "succeeded")
        #expect(refunded.transaction.revocation?.quantity == 1)
    }

    private var isLasting: Bool {
        product.type == "NonConsumable" || product.type == "RecurringSubscription"
    }

    /// The provider's record of a transaction.
    private func charge(_ transaction: TransactionLine) throws -> RecordLine? {
        let charges = try shop.record().filter { $0.id == transaction.id && $0.refundID == nil }
        #expect(charges.count <= 1, "\(transaction.productID) is charged twice")
        return charges.first
    }
}
