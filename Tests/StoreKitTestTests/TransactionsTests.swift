import Foundation
import StoreKitTest
import Testing
import TillClient
import TillModel

@Suite(.timeLimit(.minutes(10))) struct TransactionsTests {
    @Test func purchasesOutsideTheApplicationAreDeliveredToItsQueue() async throws {
        let session = try Store.session()
        try session.buyProduct(productIdentifier: Store.coins)
        let queue = session.queue
        var found: [Transaction] = []
        for try await transaction in queue.transactions {
            found.append(transaction)
        }
        #expect(found.map(\.payment.productID) == [Store.coins])
        #expect(found.map(\.state) == [.purchased])
        let listed = try session.last()
        #expect(found.first?.purchase?.transactionIdentifier == "\(listed.identifier)")
        #expect(found.first?.purchase?.transactionDate == listed.purchaseDate)
    }

    @Test func finishedTransactionsAreListedToo() async throws {
        let session = try Store.session()
        let queue = session.queue
        try await queue.finish(try await queue.purchase(Payment(productID: Store.coins)))
        #expect(session.summary == ["coins10 purchased"])
    }

    @Test func aRefundIsInTheTransaction() async throws {
        let session = try Store.session()
        let bought = try session.bought(Store.pro)
        #expect(bought.cancelDate == nil)
        try session.refundTransaction(identifier: bought.identifier)
        let refunded = try session.last()
        #expect(refunded.cancelDate != nil && refunded.identifier == bought.identifier)
        expect(.invalidAction) { try session.refundTransaction(identifier: bought.identifier) }
    }

    @Test(arguments: [true, false]) func anAskToBuyPurchaseWaitsForTheAnswer(isApproved: Bool) throws {
        let session = try Store.session()
        session.askToBuyEnabled = true
        let asked = try session.bought(Store.pro)
        #expect(asked.pendingAskToBuyConfirmation && asked.state == .deferred)
        if isApproved {
            try session.approveAskToBuyTransaction(identifier: asked.identifier)
        } else {
            try session.declineAskToBuyTransaction(identifier: asked.identifier)
        }
        let answered = try session.last()
        #expect(!answered.pendingAskToBuyConfirmation)
        #expect(answered.state == (isApproved ? .purchased : .failed))
        expect(.invalidAction) { try session.approveAskToBuyTransaction(identifier: asked.identifier) }
    }

    @Test func anInterruptedPurchaseIsCompletedByAnotherTransaction() throws {
        let session = try Store.session()
        session.interruptedPurchasesEnabled = true
        expect(.invalidAction) { try session.buyProduct(productIdentifier: Store.pro) }
        let interrupted = try session.last()
        #expect(interrupted.hasPurchaseIssue && interrupted.state == .failed)
        try session.resolveIssueForTransaction(identifier: interrupted.identifier)
        #expect(session.summary == ["pro failed", "pro purchased"])
        #expect(session.allTransactions().allSatisfy { !$0.hasPurchaseIssue })
        expect(.invalidAction) { try session.resolveIssueForTransaction(identifier: interrupted.identifier) }
    }

    @Test func clearingLeavesAnEmptyQueueThatWorks() async throws {
        let session = try Store.session()
        let queue = session.queue
        try await queue.finish(try await queue.purchase(Payment(productID: Store.pro)))
        try session.buyProduct(productIdentifier: Store.monthly)
        session.clearTransactions()
        #expect(session.allTransactions().isEmpty)
        for try await transaction in queue.transactions {
            Issue.record("The queue still has \(transaction.payment.productID).")
        }
        #expect(try await queue.restoreCompletedTransactions() == 0)
        // The product can be bought again, and is charged again.
        #expect(try await queue.purchase(Payment(productID: Store.pro)).original == nil)
        #expect(session.summary == ["pro purchased"])
    }

    @Test func deletingATransactionDeletesItsRenewalsAndRestores() async throws {
        let session = try Store.session()
        let queue = session.queue
        for product in [Store.coins, Store.pro, Store.monthly] {
            try await queue.finish(try await queue.purchase(Payment(productID: product)))
        }
        try session.forceRenewalOfSubscription(productIdentifier: Store.monthly)
        try await queue.restoreCompletedTransactions()
        let all = session.allTransactions()
        let first = try #require(all.first { $0.productIdentifier == Store.monthly })
        #expect(Set(all.map(\.state)) == [.purchased, .restored])
        try session.deleteTransaction(identifier: first.identifier)
        #expect(session.summary == ["coins10 purchased", "pro purchased", "pro restored"])
        let pro = try #require(session.allTransactions().first { $0.productIdentifier == Store.pro })
        try session.deleteTransaction(identifier: pro.identifier)
        #expect(session.summary == ["coins10 purchased"])
        // The subscription and its trial are available again.
        let again = try session.bought(Store.monthly)
        #expect(again.originalTransactionIdentifier == again.identifier)
        #expect(again.identifier > (all.last?.identifier ?? 0))
    }

    @Test func deletingARenewalKeepsTheSubscription() throws {
        let session = try Store.session()
        let first = try session.bought(Store.monthly)
        try session.forceRenewalOfSubscription(productIdentifier: Store.monthly)
        try session.deleteTransaction(identifier: try session.last().identifier)
        #expect(session.allTransactions().map(\.identifier) == [first.identifier])
        try session.forceRenewalOfSubscription(productIdentifier: Store.monthly)
        #expect(session.summary == ["monthly purchased", "monthly purchased"])
        #expect(try session.last().originalTransactionIdentifier == first.identifier)
    }

    @Test func theErrorNamesTheMissingObject() throws {
        let session = try Store.session()
        expect(.noTransactionFound) { try session.deleteTransaction(identifier: 7) }
        expect(.noTransactionFound) { try session.refundTransaction(identifier: .max) }
        expect(.noTransactionFound) { try session.resolveIssueForTransaction(identifier: 7) }
        expect(.noTransactionFound) { try session.approveAskToBuyTransaction(identifier: 7) }
        expect(.invalidProductIdentifier) { try session.buyProduct(productIdentifier: "nothing") }
        let coins = try session.bought(Store.coins)
        expect(.invalidAction) { try session.resolveIssueForTransaction(identifier: coins.identifier) }
    }
}
