import NIOConcurrencyHelpers
import TillEngine
import TillMemoryLedger
import TillModel
import TillTesting
import Testing

/// How the engine behaves when the ledger can no longer be written.
@Suite(.timeLimit(.minutes(10))) struct LedgerFailureTests {
    @Test func theEngineEndsAtTheFirstCommitThatFails() async throws {
        let ledger = FailingLedger()
        let harness = EngineHarness(ledger: ledger)
        await #expect(throws: DiskError.self) {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await harness.engine.run() }
                _ = try await harness.buy("coins")
                ledger.fails.withLockedValue { $0 = true }
                await expect(.unavailable) {
                    _ = try await harness.engine.addPayment(Payment(productID: "coins"), to: EngineHarness.notes)
                }
                // Nobody stops it: it has to end by itself.
                try await group.waitForAll()
            }
        }
    }

    @Test func theEngineEndsWhenTheProviderFails() async throws {
        let harness = EngineHarness()
        let failure = TillError(.internal, "The record cannot be written.")
        let error = await #expect(throws: TillError.self) {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await harness.engine.run() }
                _ = try await harness.buy("coins")
                harness.provider.fail(with: failure)
                try await group.waitForAll()
            }
        }
        #expect(error?.message == failure.message)
        #expect(!harness.engine.isServing)
    }

    @Test func anEngineThatCannotBeginLeavesNoCommandWaiting() async throws {
        let ledger = MemoryLedger()
        try await ledger.commit { try $0.setSetting("clock-offset-ms", to: "x") }
        let harness = EngineHarness(ledger: ledger)
        await expect(.dataLoss) { try await harness.engine.run() }
        await expect(.unavailable) {
            _ = try await harness.engine.addPayment(Payment(productID: "coins"), to: EngineHarness.notes)
        }
    }
}
