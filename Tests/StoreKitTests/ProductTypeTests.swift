import StoreKit
import Testing
import TillModel
import TillTesting

@Suite(.timeLimit(.minutes(10))) struct ProductTypeTests {
    @Test(
        "S-29: the product's type determines how often it is bought and whether it is restored",
        arguments: [
            ("coins", 2, 0), ("pro", 1, 1), ("gold", 1, 1), ("season", 2, 0),
        ]
    )
    func typesDiffer(_ product: String, _ charges: Int, _ restored: Int) async throws {
        try await StoreHarness.run { store in
            let (queue, observer) = store.observed(finishes: true)
            for count in 1...2 {
                queue.add(SKMutablePayment(product))
                await observer.saw("removed \(product)", times: count)
            }
            #expect(store.provider.scripted.charges.count == charges)
            queue.restoreCompletedTransactions()
            await observer.saw("restore finished")
            #expect(observer.updated.filter { $0.transactionState == .restored }.count == restored)
        }
    }

    @Test("S-30: an owned product is bought again free of charge, with the original transaction")
    func anOwnedProductIsFree() async throws {
        try await StoreHarness.run { store in
            let bought = try await store.own("pro")
            let (queue, observer) = store.observed()
            queue.add(SKMutablePayment("pro"))
            await observer.saw("updated pro purchased")
            #expect(store.provider.scripted.charges.count == 1)
            let original = try #require(observer.updated.last?.original)
            #expect(original.transactionIdentifier == bought.purchase?.transactionIdentifier)
            #expect(original.tillIdentifier == bought.id)
        }
    }

    @Test("S-31: a consumable with an unfinished transaction is bought again")
    func aConsumableIsBoughtAgain() async throws {
        try await StoreHarness.run { store in
            try await store.buy("coins")
            let (queue, observer) = store.observed()
            queue.add(SKMutablePayment("coins"))
            await observer.saw("updated coins purchased", times: 2)
            #expect(store.provider.scripted.charges.count == 2 && queue.transactions.count == 2)
        }
    }
}
