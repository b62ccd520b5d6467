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

    /// The lane sends a finish before the restores that were asked for after it.
    @Test func aRestoreIsOwedWhatLeavesTheQueueAfterItBegan() throws {
        var registry = TransactionRegistry()
        let pro = Payment(productID: "pro", applicationUsername: "a")
        let restored = Transaction(id: .version7(), revision: 1, state: .restored, payment: pro)
        let updated = registry.update(restored)
        let object = try #require(updated)
        var order = RestoreOrder(id: .version7(), deadline: .now, tellings: registry.tellings)
        #expect(registry.isOwed(restored, to: order), "Another process has finished it.")
        _ = registry.finish(object)
        #expect(!registry.isOwed(restored, to: order), "It is finished first, and restored again.")
        order.run = order.id
        #expect(registry.isOwed(restored, to: order))
        let told = registry.restored(for: order)
        #expect(told == [object])
        #expect(!registry.isOwed(restored, to: order), "It was told since.")
        _ = registry.remove(restored.id)
        #expect(!registry.isOwed(restored, to: order))
        let other = Transaction(id: .version7(), revision: 2, state: .restored, payment: pro)
        #expect(registry.isOwed(other, to: order), "It came and left at once.")
        order.applicationUsername = "b"
        #expect(!registry.isOwed(other, to: order))
    }
}
