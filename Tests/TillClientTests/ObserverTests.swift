import Testing
import TillClient
import TillModel
import TillTesting

@Suite(.timeLimit(.minutes(10))) struct ObserverTests {
    @Test func anObserverIsCalledForEveryKindOfChange() async throws {
        try await DaemonHarness.run { daemon in
            _ = try await daemon.buy("pro")
            try await daemon.serving { _ in
                let queue = daemon.queue()
                let observer = RecordingObserver()
                try await withThrowingTaskGroup { group in
                    group.addTask { try await queue.deliver(to: observer) }
                    await observer.hasCaughtUp.arrival()
                    #expect(try await queue.restoreCompletedTransactions() == 1)
                    await observer.hasRestored.arrival()
                    daemon.provider.scripted.refuseRestores(with: PaymentError(.unknown, "Refused."))
                    await #expect(throws: PaymentError.self) { try await queue.restoreCompletedTransactions() }
                    await observer.hasFailed.arrival()
                    group.cancelAll()
                    try await group.waitForAll()
                }
                let expected = [
                    "connected", "updated pro purchased", "initial delivery ended", "updated pro restored",
                    "restore finished 1", "restore failed unknown",
                ]
                // Removals may arrive later.
                #expect(observer.calls.values.filter { !$0.hasPrefix("removed") } == expected)
            }
        }
    }

    @Test func anObserverMayFinishFromWithinACallback() async throws {
        try await DaemonHarness.run { daemon in
            try await daemon.serving { _ in
                let queue = daemon.queue()
                let observer = RecordingObserver()
                try await withThrowingTaskGroup { group in
                    group.addTask { try await queue.deliver(to: observer) }
                    await observer.hasCaughtUp.arrival()
                    let bought = try await queue.purchase(Payment(productID: "coins"))
                    #expect(bought.state == .purchased)
                    await observer.hasRemoved.arrival()
                    group.cancelAll()
                    try await group.waitForAll()
                }
                #expect(try await queue.transactions.all() == [])
            }
        }
    }
}
