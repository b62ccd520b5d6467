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

    /// The end of a delivery may arrive late, after its observers were removed and others were added.
    @Test func onlyADeliveryToTheCurrentObserversShowsWhichTransactionsAreFinished() {
        var registry = TransactionRegistry()
        _ = registry.attach(1)
        let object = registry.update(transaction)
        _ = registry.attach(2)
        #expect(registry.removeUnnotified(by: 1).isEmpty, "Others were notified of it, and it is still in the queue.")
        #expect(registry.transactions == [object])
        #expect(registry.removeUnnotified(by: 2) == [object], "Everything was delivered, and this was not included.")
        #expect(registry.transactions.isEmpty)
    }

    @Test func currentAndRemovedTransactionsAreNotAddedAgain() {
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

    @Test func reportedTransactionsStay() {
        var registry = TransactionRegistry()
        _ = registry.attach(1)
        let object = registry.update(transaction)
        #expect(registry.removeUnnotified(by: 1).isEmpty)
        #expect(registry.transactions == [object])
    }

    /// The send queue sends a finish before restores that were requested later.
    @Test func aRestoreReportsTransactionsThatLeaveTheQueueAfterItBegan() throws {
        var registry = TransactionRegistry()
        let pro = Payment(productID: "pro", applicationUsername: "a")
        let restored = Transaction(id: .version7(), revision: 1, state: .restored, payment: pro)
        let updated = registry.update(restored)
        let object = try #require(updated)
        var pending = PendingRestore(id: .version7(), deadline: .now, notificationCount: registry.notificationCount)
        #expect(registry.mustReport(restored, for: pending), "Another process has finished it.")
        _ = registry.finish(object)
        #expect(!registry.mustReport(restored, for: pending), "It is finished first, then restored again.")
        pending.run = pending.id
        #expect(registry.mustReport(restored, for: pending))
        let told = registry.restored(for: pending)
        #expect(told == [object])
        #expect(!registry.mustReport(restored, for: pending), "It was reported since.")
        _ = registry.remove(restored.id)
        #expect(!registry.mustReport(restored, for: pending))
        let other = Transaction(id: .version7(), revision: 2, state: .restored, payment: pro)
        #expect(registry.mustReport(other, for: pending), "It was added and removed immediately.")
        pending.applicationUsername = "b"
        #expect(!registry.mustReport(other, for: pending))
    }
}
