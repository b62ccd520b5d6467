import Foundation
@testable import StoreKit
import Testing
import TillModel

struct TransactionRegistryTests {
    private let transaction = Transaction(
        id: .version7(),
        revision: 1,
        state: .purchasing,
        payment: Payment(productID: "coins")
    )

    /// The end of a delivery may come late, after those whom it was made to have gone and others have come.
    @Test func onlyADeliveryToThePresentObserversSaysWhatIsFinished() {
        var registry = TransactionRegistry()
        _ = registry.attach(1)
        let object = registry.update(transaction)
        _ = registry.attach(2)
        #expect(registry.retireUntold(by: 1).isEmpty, "Others had been told of it, and it is still in the queue.")
        #expect(registry.transactions == [object])
        #expect(registry.retireUntold(by: 2) == [object], "All was delivered, and it was not among it.")
        #expect(registry.transactions.isEmpty)
    }

    @Test func whatIsOrWasInTheQueueIsNotAddedAgain() {
        var registry = TransactionRegistry()
        let isAdded = registry.add(transaction)
        let objects = registry.transactions
        let isAddedAgain = registry.add(transaction)
        #expect(isAdded && !isAddedAgain)
        #expect(registry.transactions == objects)
        _ = registry.remove(transaction.id)
        let isAddedLater = registry.add(transaction)
        #expect(!isAddedLater && registry.transactions.isEmpty)
    }

    @Test func whatObserversWereToldOfStays() {
        var registry = TransactionRegistry()
        _ = registry.attach(1)
        let object = registry.update(transaction)
        #expect(registry.retireUntold(by: 1).isEmpty)
        #expect(registry.transactions == [object])
    }
}
