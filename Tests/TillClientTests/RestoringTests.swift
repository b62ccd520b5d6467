import Testing
import TillClient
import TillModel
import TillTesting

@Suite(.timeLimit(.minutes(10))) struct RestoringTests {
    @Test func everyRestoredTransactionIsDeliveredOnceBeforeTheEnd() async throws {
        try await DaemonHarness.run { daemon in
            try await daemon.serving { _ in
                let queue = daemon.queue()
                for product in ["pro", "themes", "coins"] {
                    try await queue.finish(try await queue.purchase(Payment(productID: product)))
                }
                let restored = Collector<Transaction>()
                let count = try await queue.restoreCompletedTransactions(applicationUsername: nil) {
                    restored.append($0)
                    // The removal must not count as a second transaction.
                    try await queue.finish($0)
                }
                #expect(count == 2)
                #expect(restored.values.map(\.payment.productID).sorted() == ["pro", "themes"])
                #expect(restored.values.allSatisfy { $0.state == .restored && $0.original != nil })
            }
        }
    }

    @Test func unfinishedTransactionsOfAnEarlierRestoreAreDeliveredAgain() async throws {
        try await DaemonHarness.run { daemon in
            try await daemon.serving { _ in
                let queue = daemon.queue()
                for product in ["pro", "themes"] {
                    try await queue.finish(try await queue.purchase(Payment(productID: product)))
                }
                let (first, second) = (Collector<Transaction>(), Collector<Transaction>())
                _ = try await queue.restoreCompletedTransactions(applicationUsername: nil) { first.append($0) }
                let pro = try #require(first.values.first { $0.payment.productID == "pro" })
                try await queue.finish(pro)
                let count = try await queue.restoreCompletedTransactions(applicationUsername: nil) { second.append($0) }
                #expect(count == 2)
                #expect(second.values.map(\.payment.productID).sorted() == ["pro", "themes"])
                #expect(Set(first.values.map(\.id)).subtracting(second.values.map(\.id)) == [pro.id])
            }
        }
    }

    @Test func aRestoreOfNothingEndsToo() async throws {
        try await DaemonHarness.run { daemon in
            try await daemon.serving { _ in
                let count = try await daemon.queue().restoreCompletedTransactions()
                #expect(count == 0)
            }
        }
    }

    @Test func aRefusedRestoreThrowsItsError() async throws {
        try await DaemonHarness.run { daemon in
            let refusal = PaymentError(.cloudServiceNetworkConnectionFailed, "Refused.")
            daemon.provider.scripted.refuseRestores(with: refusal)
            try await daemon.serving { _ in
                let queue = daemon.queue()
                await #expect(throws: refusal) { try await queue.restoreCompletedTransactions() }
            }
        }
    }

    @Test func aRestoreThatDoesNotEndIsGivenUp() async throws {
        let restores = Gate()
        try await DaemonHarness.run(provider: GatedProvider(restores: restores)) { daemon in
            try await daemon.serving { _ in
                let queue = daemon.queue { $0.restoreTimeout = .milliseconds(20) }
                await expect(.deadlineExceeded) { try await queue.restoreCompletedTransactions() }
            }
        }
    }

    @Test func aRestoreEndsAcrossARestartOfTheServer() async throws {
        let restores = Gate()
        try await DaemonHarness.run(provider: GatedProvider(restores: restores)) { daemon in
            try await daemon.own("pro")
            let queue = daemon.queue()
            try await withThrowingTaskGroup(of: Int.self) { group in
                group.addTask { try await queue.restoreCompletedTransactions() }
                try await daemon.serving { _ in await restores.arrival() }
                restores.open()
                #expect(try await daemon.serving { _ in try await group.next() } == 1)
            }
        }
    }

    @Test func aRestoreThatIsUnderWayIsJoined() async throws {
        let restores = Gate()
        try await DaemonHarness.run(provider: GatedProvider(restores: restores)) { daemon in
            try await daemon.own("pro")
            try await daemon.serving { _ in
                let queue = daemon.queue()
                try await withThrowingTaskGroup(of: Int.self) { group in
                    group.addTask { try await queue.restoreCompletedTransactions() }
                    await restores.arrival()
                    group.addTask { try await queue.restoreCompletedTransactions() }
                    restores.open()
                    var counts: [Int] = []
                    for try await count in group { counts.append(count) }
                    #expect(counts == [1, 1])
                }
            }
        }
    }
}
