import Foundation
@testable import StoreKit
import Testing
import TillClient
import TillEngine
import TillModel

/// The daemon and the application of a queue.
@Suite(.timeLimit(.minutes(10))) struct ConnectionTests {
    @Test(
        arguments: [
            (["TILL_APPLICATION": "a.b"], "c.d", "e", "a.b"), ([:], "c.d", "e", "c.d"),
            (["TILL_APPLICATION": ""], nil, "e", "e"),
            ([:], "not valid", "my app é", "my-app--"), ([:], nil, "", "application"),
        ] as [([String: String], String?, String, String)]
    )
    func anApplicationHasAName(_ environment: [String: String], _ bundle: String?, _ executable: String, _ name: String)
    {
        let found = ApplicationName.name(environment: environment, bundleIdentifier: bundle, executable: executable)
        #expect(found == name && Identifier.isValid(found))
    }

    @Test func aQueueSwitchesToAnotherApplicationAndKeepsItsObservers() async throws {
        try await StoreHarness.run { store in
            let (queue, observer) = store.observed()
            queue.add(SKMutablePayment("coins"))
            await observer.saw("updated coins purchased")
            let other = ClientConfiguration(application: "org.example.other", socketPath: store.socketPath)
            queue.connection?.connect(other)
            #expect(queue.transactions.isEmpty)
            queue.add(SKMutablePayment("pro"))
            await observer.saw("updated pro purchased")
            #expect(queue.transactions.map(\.payment.productIdentifier) == ["pro"])
            await queue.connection?.reset()
            #expect(queue.transactionObservers.isEmpty)
        }
    }

    @Test func aQueueSurvivesARestartOfItsDaemon() async throws {
        try await StoreHarness.runUnserved { store in
            let (queue, observer) = store.observed(finishes: true)
            for product in ["coins", "pro", "themes"] {
                try await store.serving {
                    queue.add(SKMutablePayment(product))
                    await observer.saw("removed \(product)")
                }
            }
            #expect(observer.calls.count == 9)
        }
    }

    @Test func transactionsFinishedByAnotherProcessAreRemoved() async throws {
        try await StoreHarness.run { store in
            let (queue, observer) = store.observed()
            queue.add(SKMutablePayment("coins"))
            await observer.saw("updated coins purchased")
            queue.remove(observer)
            let id = try #require(try await store.stored().first?.id)
            _ = try await store.engine.finishTransaction(id, in: store.name)
            let next = Recorder()
            queue.add(next)
            await next.saw("removed coins")
            #expect(queue.transactions.isEmpty)
        }
    }

    @Test func aRefundedTransactionFinishedByAnotherProcessIsRemoved() async throws {
        try await StoreHarness.runUnserved { store in
            let (queue, observer) = store.observed()
            try await store.serving {
                queue.add(SKMutablePayment("pro"))
                await observer.saw("updated pro purchased")
            }
            let id = try #require(try await store.stored().first?.id)
            _ = try await store.engine.finishTransaction(id, in: store.name)
            let identity = OperatorIdentity(uid: geteuid(), reason: "test")
            _ = try await store.engine.refund(RefundOrder(transactionID: id), by: identity)
            try await store.serving {
                await observer.saw("revoked pro")
                #expect(observer.calls.suffix(2) == ["removed pro", "revoked pro"])
                #expect(queue.transactions.isEmpty)
            }
        }
    }

    @Test func transactionsMissingFromANewLedgerAreRemoved() async throws {
        try await StoreHarness.runUnserved { store in
            let (queue, observer) = store.observed()
            try await store.serving {
                try await store.set(.askToBuy, "true")
                queue.add(SKMutablePayment("coins"))
                await observer.saw("updated coins deferred")
            }
            try await StoreHarness.runUnserved { other in
                try await other.buy("pro")
                try await other.serving(at: store.socketPath) {
                    await observer.saw("updated pro purchased")
                    await observer.saw("removed coins")
                    #expect(queue.transactions.map(\.payment.productIdentifier) == ["pro"])
                }
            }
        }
    }

    @Test func aReplacementIsTheDefaultQueueWithinItsScope() {
        let queue = SKPaymentQueue(connection: StoreConnection())
        SKPaymentQueue.$replacement.withValue(queue) { #expect(SKPaymentQueue.default() === queue) }
        #expect(SKPaymentQueue.default() !== queue)
    }
}
