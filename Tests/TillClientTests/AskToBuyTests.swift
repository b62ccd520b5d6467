import FoundationEssentials
import Testing
import TillClient
import TillModel
import TillTesting

/// Approval, cancelling and entitlements, from the client through the wire to the engine and back.
@Suite(.timeLimit(.minutes(10))) struct AskToBuyTests {
    @Test(arguments: [(approves: true, state: TransactionState.purchased), (false, .failed)])
    func anApproversAnswerEndsTheWait(_ approves: Bool, _ state: TransactionState) async throws {
        try await DaemonHarness.run { daemon in
            try await daemon.serving { _ in
                let queue = daemon.queue()
                let agent = AuthorizationAgent(queue.configuration)
                var updates = agent.updates.makeAsyncIterator()
                #expect(try await updates.next() == .connection(.connected))
                let payment = Payment(productID: "pro", simulatesAskToBuyInSandbox: true)
                try await queue.add(payment)
                guard case .requested(let request) = try await updates.next() else {
                    Issue.record("The agent received no request.")
                    return
                }
                #expect((request.id, request.kind, request.productID) == (payment.id, .approval, "pro"))
                try await agent.answer(request, approves: approves, reason: "As agreed.")
                let withdrawn = try await updates.next()
                #expect(withdrawn == .withdrawn(id: payment.id, kind: .approval))
                let ended = try await queue.purchase(payment)
                #expect(ended.state == state)
                #expect(ended.error?.reason == (approves ? nil : .declined))
                let owned = try await queue.entitlements.all().map(\.productID)
                #expect(owned == (approves ? ["pro"] : []))
            }
        }
    }

    @Test func aWaitingPaymentIsCancelled() async throws {
        try await DaemonHarness.run { daemon in
            try await daemon.serving { _ in
                let queue = daemon.queue()
                let payment = Payment(productID: "pro", simulatesAskToBuyInSandbox: true)
                let added = try await queue.add(payment)
                #expect(added.state == .deferred)
                #expect(added.blocker == .approval)
                #expect(added.deadline != nil)
                let listed = try await AuthorizationAgent(queue.configuration).requests.all()
                #expect(listed.map(\.id) == [payment.id])
                let cancelled = try await queue.cancel(paymentID: payment.id)
                #expect(cancelled.error?.reason == .withdrawn)
                let again = try await queue.cancel(paymentID: payment.id)
                #expect(again == cancelled)
                let left = try await AuthorizationAgent(queue.configuration).requests.all()
                #expect(left == [])
                #expect(daemon.provider.scripted.charges == [:])
            }
        }
    }

    @Test func aRestoreIsFollowedToItsEnd() async throws {
        try await DaemonHarness.run { daemon in
            try await daemon.own("pro")
            try await daemon.own("themes")
            try await daemon.serving { _ in
                let queue = daemon.queue()
                var changes = queue.changes.makeAsyncIterator()
                _ = try await changes.initialDelivery()
                let begun = try await queue.beginRestore()
                _ = try await changes.changes { $0 == .restoreFinished(id: begun.id, count: 2) }
                let ended = try await queue.status(ofRestore: begun.id)
                #expect((ended.state, ended.restoredCount, ended.totalCount) == (.finished, 2, 2))
                let cancelled = try await queue.cancelRestore(begun.id)
                #expect(cancelled == ended)
                await expect(.notFound) { _ = try await queue.status(ofRestore: .version7()) }
            }
        }
    }

    @Test func aCancelledRestoreFailsButKeepsItsTransactions() async throws {
        let restores = Gate()
        try await DaemonHarness.run(provider: GatedProvider(restores: restores)) { daemon in
            try await daemon.own("pro")
            try await daemon.serving { _ in
                let queue = daemon.queue()
                let begun = try await queue.beginRestore()
                await restores.arrival()
                let stopped = try await queue.cancelRestore(begun.id)
                restores.open()
                #expect(stopped.state == .failed)
                #expect(stopped.error?.reason == .stopped)
                let status = try await queue.status(ofRestore: begun.id)
                #expect(status == stopped)
            }
        }
    }
}
