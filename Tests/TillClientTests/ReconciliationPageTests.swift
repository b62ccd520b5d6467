import Testing
import TillClient
import TillModel
import TillTesting

/// The pages of a reconciliation over the wire.
@Suite(.timeLimit(.minutes(5))) struct ReconciliationPageTests {
    @Test func pagesAreReadInOrderOnOneConnection() async throws {
        try await DaemonHarness.run { daemon in
            try await daemon.serving { _ in
                let store = TillOperator(
                    ClientConfiguration(application: DaemonHarness.application, socketPath: daemon.socketPath)
                )
                let first = try await store.reconcile()
                let token = try #require(first.next)
                for other in [token + 1, token + 100, .max] {
                    await expectNoPage(other, store)
                }
                let second = try await store.reconcile(page: token)
                await expectNoPage(token, store)
                // A second reconciliation ends the first, whose tokens differ.
                let again = try #require(try await store.reconcile().next)
                if let next = second.next {
                    #expect(again != next)
                    await expectNoPage(next, store)
                }
                await store.close()
                let other = TillOperator(
                    ClientConfiguration(application: DaemonHarness.application, socketPath: daemon.socketPath)
                )
                await expectNoPage(again, other)
                await other.close()
            }
        }
    }

    private func expectNoPage(_ token: UInt64, _ store: TillOperator) async {
        let error = await #expect(throws: TillError.self) { try await store.reconcile(page: token) }
        #expect(error?.code == .failedPrecondition)
        #expect(error?.message.contains("begin another one") == true)
    }
}
