import Foundation
import NIOConcurrencyHelpers
import StoreKit
import Testing
import TillEngine
import TillModel
import TillTesting

@Suite(.timeLimit(.minutes(10))) struct AddingTests {
    @Test("S-10: a payment is copied when it is added")
    func aPaymentIsCopied() async throws {
        try await StoreHarness.run { store in
            let (queue, observer) = store.observed()
            let payment = SKMutablePayment("coins", quantity: 2, username: "u")
            let copy = payment.copy() as? SKPayment
            queue.add(payment)
            payment.quantity = 3
            await observer.saw("updated coins purchased")
            let transaction = try #require(observer.updated.last)
            #expect(transaction.payment == copy && transaction.payment.quantity == 2)
            #expect(try await store.stored().map(\.payment.quantity) == [2])
        }
    }

    @Test("S-11: the same payment twice is two transactions, and two charges")
    func addingTwiceBuysTwice() async throws {
        try await StoreHarness.run { store in
            let (queue, observer) = store.observed()
            let payment = SKMutablePayment("coins")
            queue.add(payment)
            queue.add(payment)
            while try await store.stored().filter({ $0.state == .purchased }).count < 2 {
                try await Task.yieldUnlessCancelled()
            }
            #expect(store.provider.scripted.charges.count == 2)
            await observer.saw("updated coins purchased", times: 2)
        }
    }

    @Test(
        "S-13: payments that the store refuses fail: too many, reserved data, unknown products",
        arguments: [
            (SKError.Code.paymentInvalid, { @Sendable in $0.quantity = 11 }),
            (.unauthorizedRequestData, { @Sendable in $0.requestData = Data([1]) }),
            (.unauthorizedRequestData, { @Sendable in $0.requestData = Data(repeating: 1, count: 2000) }),
            (.unauthorizedRequestData, { @Sendable in $0.requestData = Data(repeating: 1, count: 300_000) }),
            (.paymentInvalid, { @Sendable in $0.applicationUsername = String(repeating: "u", count: 300_000) }),
            (.storeProductNotAvailable, { @Sendable in $0.productIdentifier = "unknown" }),
            (.paymentInvalid, { @Sendable in $0.productIdentifier = "no identifier" }),
        ] as [(SKError.Code, @Sendable (SKMutablePayment) -> Void)]
    )
    func whatTheStoreRefusesFails(_ code: SKError.Code, _ change: @Sendable (SKMutablePayment) -> Void) async throws {
        try await StoreHarness.run { store in
            let payment = SKMutablePayment("coins")
            change(payment)
            let (queue, observer) = store.observed(finishes: true)
            queue.add(payment)
            queue.add(SKMutablePayment("pro"))
            await observer.saw("removed \(payment.productIdentifier)")
            await observer.saw("removed pro")
            let refused = try #require(observer.removed.first { $0.payment.productIdentifier != "pro" })
            #expect((refused.error as? SKError)?.code == code)
            #expect(refused.transactionState == .failed)
            #expect(queue.transactions.isEmpty)
        }
    }

    @Test(
        "S-14: a payment goes from purchasing to one of its ends",
        arguments: [
            ("coins", "purchased", nil), ("odd", "failed", SKError.Code.paymentInvalid),
        ] as [(String, String, SKError.Code?)]
    )
    func aPaymentGoesToOneOfItsEnds(_ product: String, _ end: String, _ code: SKError.Code?) async throws {
        try await StoreHarness.run { store in
            let (queue, observer) = store.observed()
            queue.add(SKMutablePayment(product))
            await observer.saw("updated \(product) \(end)")
            #expect(observer.calls == ["updated \(product) purchasing", "updated \(product) \(end)"])
            #expect((observer.updated.last?.error as? SKError)?.code == code)
        }
    }

    @Test("S-14: for an account that may not pay, canMakePayments is false and payments fail")
    func anAccountThatMayNotPay() async throws {
        try await StoreHarness.run({ $0.accountsNotAllowedToPay = ["uid:\(geteuid())"] }) { store in
            let (queue, observer) = store.observed()
            let mayPay = await offPool {
                SKPaymentQueue.$replacement.withValue(queue) { SKPaymentQueue.canMakePayments() }
            }
            #expect(!mayPay)
            queue.add(SKMutablePayment("coins"))
            await observer.saw("updated coins failed")
            #expect((observer.updated.last?.error as? SKError)?.code == .paymentNotAllowed)
        }
    }

    @Test("S-14: while the daemon is unavailable, canMakePayments is true, or the daemon's last answer")
    func canMakePaymentsWithoutADaemon() async throws {
        try await StoreHarness.runUnserved({ $0.accountsNotAllowedToPay = ["uid:\(geteuid())"] }) { store in
            let queue = store.queue(wait: .milliseconds(1))
            let ask = { SKPaymentQueue.$replacement.withValue(queue) { SKPaymentQueue.canMakePayments() } }
            #expect(ask())
            try await store.serving { while ask() { try await Task.yieldUnlessCancelled() } }
            #expect(!ask())
        }
    }

    @Test("S-15: the date is when the payment was added, and the identifier is decimal")
    func dateAndIdentifier() async throws {
        try await StoreHarness.run { store in
            let (queue, observer) = store.observed()
            queue.add(SKMutablePayment("coins"))
            await observer.saw("updated coins purchased")
            let transaction = try #require(observer.updated.last)
            #expect(UInt64(transaction.transactionIdentifier ?? "") != nil)
            #expect(abs(transaction.transactionDate?.timeIntervalSinceNow ?? 1000) < 600)
        }
    }

    @Test("S-16: the transaction contains the application's username")
    func theTransactionHasTheUsername() async throws {
        try await StoreHarness.run { store in
            try await store.buy("coins", username: "user")
            let (_, observer) = store.observed()
            await observer.saw("updated coins purchased")
            #expect(observer.updated.first?.payment.applicationUsername == "user")
        }
    }
}
