import Foundation
@testable import StoreKit
import Testing
import TillClient
import TillEngine
import TillModel
import TillTesting

@Suite(.timeLimit(.minutes(10))) struct RestoringTests {
    private static let ends: Set<String> = ["restore finished", "restore failed"]

    @Test("S-22: a restore delivers its transactions and then ends exactly once")
    func aRestoreEndsOnce() async throws {
        try await StoreHarness.run { store in
            try await store.own("pro")
            try await store.own("themes")
            let (queue, observer) = store.observed(finishes: true)
            queue.restoreCompletedTransactions()
            queue.restoreCompletedTransactions()
            await observer.saw("restore finished")
            let before = observer.calls.prefix { $0 != "restore finished" }.joined()
            #expect(before.contains("pro restored") && before.contains("themes restored"))
            queue.add(SKMutablePayment("coins"))
            await observer.saw("removed coins")
            #expect((1...2).contains(observer.calls.filter { Self.ends.contains($0) }.count))
        }
    }

    @Test("S-22: a restore fails once if the daemon is unavailable")
    func aRestoreWithoutADaemonFails() async throws {
        try await StoreHarness.runUnserved { store in
            let (queue, observer) = (store.queue { $0.callTimeout = .milliseconds(1) }, Recorder())
            queue.add(observer)
            queue.restoreCompletedTransactions()
            await observer.saw("restore failed")
            #expect((observer.errors.first as? URLError)?.code == .cannotConnectToHost)
            #expect(observer.calls.count == 1)
        }
    }

    @Test("S-22: a restore that ends without observers is reported to the next observer")
    func aRestoreWithoutObserversIsReportedLater() async throws {
        try await StoreHarness.run { store in
            try await store.own("pro")
            let queue = store.queue()
            queue.restoreCompletedTransactions()
            while try await !store.stored().contains(where: { $0.state == .restored }) {
                try await Task.yieldUnlessCancelled()
            }
            let observer = Recorder()
            queue.add(observer)
            await observer.saw("restore finished")
            #expect(observer.calls == ["updated pro restored", "restore finished"])
        }
    }

    @Test("S-22: a restore that does not end in time fails once")
    func aRestoreFailsAtItsDeadline() async throws {
        try await StoreHarness.runUnserved { store in
            try await store.own("pro")
            store.provider.restores.close()
            let (queue, observer) = (store.queue { $0.restoreTimeout = .milliseconds(1) }, Recorder())
            queue.add(observer)
            try await store.serving {
                queue.restoreCompletedTransactions()
                await observer.saw("restore failed")
            }
            #expect((observer.errors.first as? URLError)?.code == .timedOut)
            store.provider.restores.open()
            try await store.serving {
                await observer.saw("updated pro restored")
                queue.add(SKMutablePayment("coins"))
                await observer.saw("updated coins purchased")
            }
            #expect(observer.calls.filter { Self.ends.contains($0) } == ["restore failed"])
        }
    }

    @Test("S-22: a restore that is unknown in a new ledger fails")
    func aRestoreOfAnotherLedgerFails() async throws {
        try await StoreHarness.runUnserved { store in
            store.provider.restores.close()
            let (queue, observer) = store.observed()
            let daemonConnection = try #require(queue.connection?.daemonConnection)
            try await store.serving {
                queue.restoreCompletedTransactions()
                while daemonConnection.withState({ !$0.restores.open.values.contains(where: \.isBegun) }) {
                    try await Task.yieldUnlessCancelled()
                }
            }
            try await StoreHarness.runUnserved { other in
                try await other.serving(at: store.socketPath) {
                    await observer.saw("restore failed")
                    #expect(observer.calls == ["restore failed"])
                }
            }
        }
    }

    @Test("S-23: with nothing to restore it finishes")
    func nothingToRestoreFinishes() async throws {
        try await StoreHarness.run { store in
            let (queue, observer) = store.observed()
            queue.restoreCompletedTransactions()
            await observer.saw("restore finished")
            #expect(observer.calls == ["restore finished"])
        }
    }

    @Test("S-24: only finished non-consumables and auto-renewable subscriptions are restored")
    func onlyFinishedRestorableProductsAreRestored() async throws {
        try await StoreHarness.run { store in
            for product in ["coins", "pro", "season", "gold"] { try await store.own(product) }
            try await store.buy("themes")
            let (queue, observer) = store.observed()
            queue.restoreCompletedTransactions()
            await observer.saw("restore finished")
            let restored = observer.updated.filter { $0.transactionState == .restored }.map(\.payment.productIdentifier)
            #expect(Set(restored) == ["pro", "gold"] && restored.count == 2)
        }
    }

    @Test("S-25: a restored transaction is a new one, with its original")
    func restoredTransactionsAreNew() async throws {
        try await StoreHarness.run { store in
            let bought = try await store.own("pro")
            let (queue, observer) = store.observed(finishes: true)
            for count in 1...2 {
                queue.restoreCompletedTransactions()
                await observer.saw("restore finished", times: count)
                await observer.saw("removed pro", times: count)
            }
            let identifiers = observer.removed.compactMap(\.transactionIdentifier)
            #expect(Set(identifiers).count == 2 && !identifiers.contains(bought.purchase?.transactionIdentifier ?? ""))
            for transaction in observer.removed {
                #expect(transaction.original?.transactionIdentifier == bought.purchase?.transactionIdentifier)
                #expect(transaction.original?.transactionState == .purchased)
                #expect(transaction.original?.payment.productIdentifier == "pro")
            }
        }
    }

    @Test("S-26: a username restricts a restore to purchases with this username", arguments: [nil, "a", "z"])
    func aUsernameRestricts(_ username: String?) async throws {
        try await StoreHarness.run { store in
            try await store.own("pro", username: "a")
            try await store.own("themes")
            let (queue, observer) = store.observed()
            queue.restoreCompletedTransactions(withApplicationUsername: username)
            await observer.saw("restore finished")
            let expected: Set = username.map { $0 == "a" ? ["pro"] : [] } ?? ["pro", "themes"]
            #expect(Set(observer.updated.map(\.payment.productIdentifier)) == expected)
        }
    }

    @Test("S-27: a restore that the user declines fails with paymentCancelled")
    func aDeclinedRestoreFails() async throws {
        try await StoreHarness.run { store in
            store.provider.scripted.refuseRestores(with: PaymentError(.paymentCancelled, "No."))
            let (queue, observer) = store.observed()
            queue.restoreCompletedTransactions()
            await observer.saw("restore failed")
            #expect((observer.errors.first as? SKError)?.code == .paymentCancelled)
        }
    }

    @Test("S-25: unfinished transactions of an earlier restore are delivered again before the end of the next")
    func unfinishedRestoredTransactionsAreDeliveredAgain() async throws {
        try await StoreHarness.run { store in
            try await store.own("pro")
            let (queue, observer) = store.observed()
            for count in 1...2 {
                queue.restoreCompletedTransactions()
                await observer.saw("restore finished", times: count)
            }
            let once = ["updated pro restored", "restore finished"]
            #expect(observer.calls == once + once)
            #expect(Set(observer.updated).count == 1)
            queue.restoreCompletedTransactions(withApplicationUsername: "other")
            await observer.saw("restore finished", times: 3)
            #expect(observer.calls == once + once + ["restore finished"])
        }
    }

    @Test("S-28: a restored transaction is delivered once")
    func restoredTransactionsAreDeliveredOnce() async throws {
        try await StoreHarness.run { store in
            for product in ["pro", "themes", "gold"] { try await store.own(product) }
            let (queue, observer) = store.observed()
            queue.restoreCompletedTransactions()
            await observer.saw("restore finished")
            queue.add(SKMutablePayment("coins"))
            await observer.saw("updated coins purchased")
            let restored = observer.updated.filter { $0.transactionState == .restored }
            #expect(restored.count == 3 && Set(restored).count == 3)
        }
    }

    @Test(
        "S-25: transactions that were finished before a restore are restored again, even if the daemon had received neither"
    )
    func aRestoreIsSentAfterEarlierFinishes() async throws {
        try await StoreHarness.runUnserved { store in
            for product in ["pro", "themes", "gold"] { try await store.own(product) }
            let (queue, observer) = store.observed()
            try await store.serving {
                queue.restoreCompletedTransactions()
                await observer.saw("restore finished")
            }
            for count in 2...4 {
                let before = observer.calls.count
                queue.transactions.forEach { queue.finishTransaction($0) }
                queue.restoreCompletedTransactions()
                try await store.serving { await observer.saw("restore finished", times: count) }
                let restored = observer.calls.dropFirst(before).filter { $0.hasSuffix("restored") }
                #expect(Set(restored).count == 3 && restored.count == 3)
            }
            #expect(Set(observer.updated).count == 12)
        }
    }

    @Test("S-25: transactions that are finished during a restore are still reported before its end")
    func transactionsFinishedDuringARestoreAreReported() async throws {
        try await StoreHarness.run { store in
            try await store.own("pro")
            let own = DispatchQueue(label: "own")
            let (queue, observer) = (store.queue(callbackQueue: CallbackQueue(queue: own)), Recorder())
            queue.add(observer)
            queue.restoreCompletedTransactions()
            await observer.saw("restore finished")
            let transaction = try #require(queue.transactions.first)
            own.suspend()
            queue.restoreCompletedTransactions()
            let open = try #require(queue.connection?.daemonConnection.withState { $0.restores.open.keys.first })
            while (try? await store.engine.restoreStatus(open, in: store.name).state) != .finished {
                try await Task.yieldUnlessCancelled()
            }
            queue.finishTransaction(transaction)
            own.resume()
            await observer.saw("removed pro")
            await observer.saw("restore finished", times: 2)
            let end = try #require(observer.calls.lastIndex(of: "restore finished"))
            #expect(observer.calls[..<end].filter { $0 == "updated pro restored" }.count == 2)
        }
    }

    @Test("S-22: a restore that waits for unsent finishes fails at its deadline")
    func aRestoreBehindAFinishFailsAtItsDeadline() async throws {
        try await StoreHarness.runUnserved { store in
            let (queue, observer) = (store.queue { $0.restoreTimeout = .milliseconds(100) }, Recorder())
            queue.add(observer)
            try await store.serving {
                queue.add(SKMutablePayment("coins"))
                await observer.saw("updated coins purchased")
            }
            queue.finishTransaction(try #require(queue.transactions.first))
            queue.restoreCompletedTransactions()
            await observer.saw("restore failed")
            #expect((observer.errors.first as? URLError)?.code == .timedOut)
            try await store.serving { await observer.saw("removed coins") }
            #expect(observer.calls.filter { Self.ends.contains($0) } == ["restore failed"])
        }
    }
}
