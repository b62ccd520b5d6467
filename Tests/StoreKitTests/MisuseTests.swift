import Foundation
@testable import StoreKit
import Testing
import TillModel

/// Programming errors for which Apple throws an exception. The handler is global, so the tests run one at a time.
@Suite(.serialized, .timeLimit(.minutes(10))) struct MisuseTests {
    @Test(
        "S-12: an empty payment is a programming error, which terminates the program or is passed to the handler",
        arguments: [
            ("", 1, "A payment's product identifier must not be empty."),
            ("coins", 0, "A payment's quantity must be at least 1."),
            ("coins", -1, "A payment's quantity must be at least 1."),
        ]
    )
    func aPaymentOfNothing(_ product: String, _ quantity: Int, _ message: String) async throws {
        try await StoreHarness.run { store in
            let (queue, log) = (store.queue(), Log())
            SKPaymentQueue.misuseHandler = { log.append($0) }
            defer { SKPaymentQueue.misuseHandler = nil }
            queue.add(SKMutablePayment(product, quantity: quantity))
            #expect(log.lines == [message])
            #expect(queue.transactions.isEmpty)
        }
    }

    @Test("S-12: without a handler the process terminates")
    func anEmptyPaymentTerminatesTheProcess() async {
        await #expect(processExitsWith: .failure) {
            SKPaymentQueue(connection: StoreConnection()).add(SKPayment())
        }
    }

    @Test("S-20: finishing a purchasing transaction is a programming error, with Apple's message")
    func finishingAPurchasingTransaction() async throws {
        try await StoreHarness.runUnserved { store in
            let (queue, log) = (store.queue(), Log())
            SKPaymentQueue.misuseHandler = { log.append($0) }
            defer { SKPaymentQueue.misuseHandler = nil }
            queue.add(SKMutablePayment("coins"))
            let transaction = try #require(queue.transactions.first)
            queue.finishTransaction(transaction)
            #expect(log.lines == ["Cannot finish a purchasing transaction"])
            #expect(queue.transactions == [transaction])
        }
    }

    @Test("S-20: without a handler, finishing a purchasing transaction terminates the process")
    func finishingAPurchasingTransactionTerminatesTheProcess() async {
        await #expect(processExitsWith: .failure) {
            SKPaymentQueue(connection: StoreConnection()).finishTransaction(SKPaymentTransaction())
        }
    }
}
