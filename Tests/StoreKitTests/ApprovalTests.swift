import StoreKit
import Testing
import TillClient
import TillModel

/// Ask to Buy, and interrupted purchases.
@Suite(.timeLimit(.minutes(10))) struct ApprovalTests {
    /// A purchase that is waiting for approval, and its request.
    private func withDeferred(
        _ body: (StoreHarness, Recorder, AuthorizationRequest, AuthorizationAgent) async throws -> Void
    ) async throws {
        try await StoreHarness.run { store in
            try await store.set(.askToBuy, "true")
            let (queue, observer) = store.observed()
            queue.add(SKMutablePayment("coins"))
            await observer.saw("updated coins deferred")
            let agent = AuthorizationAgent(ClientConfiguration(application: "test", socketPath: store.socketPath))
            let request = try #require(try await agent.firstRequest())
            try await body(store, observer, request, agent)
            await agent.close()
        }
    }

    @Test(
        "S-32: a purchase that needs approval is deferred, and its outcome is delivered later, also to another process"
    )
    func aDeferredPurchaseEndsLater() async throws {
        try await withDeferred { store, observer, request, agent in
            #expect(observer.calls == ["updated coins purchasing", "updated coins deferred"])
            let (_, other) = store.observed()
            await other.saw("updated coins deferred")
            try await agent.answer(request, approves: true)
            await observer.saw("updated coins purchased")
            await other.saw("updated coins purchased")
        }
    }

    @Test("S-33: without approval in time the purchase fails, with the reason")
    func anApprovalExpires() async throws {
        try await withDeferred { store, observer, _, _ in
            try await store.operatorClient.advanceClock(by: .seconds(25 * 3600), because: "test")
            await observer.saw("updated coins failed")
            let error = try #require(observer.updated.last?.error as? SKError)
            #expect(error.code == .paymentCancelled && error.userInfo[SKTillErrorKey.reason] as? String == "expired")
        }
    }

    @Test("S-34: approval completes the same transaction, refusal fails it", arguments: [true, false])
    func anAnswerEndsTheSameTransaction(_ approves: Bool) async throws {
        try await withDeferred { _, observer, request, agent in
            if approves {
                try await agent.answer(request, approves: true)
            } else {
                try await agent.answer(request, approves: false)
            }
            await observer.saw("updated coins \(approves ? "purchased" : "failed")")
            #expect(Set(observer.updated).count == 1)
            let error = observer.updated.last?.error as? SKError
            #expect(error?.code == (approves ? nil : .paymentCancelled))
            #expect(error?.userInfo[SKTillErrorKey.reason] as? String == (approves ? nil : "declined"))
        }
    }

    @Test("S-35: several requests for one product are separate transactions, each with its deadline")
    func severalRequestsForOneProduct() async throws {
        try await withDeferred { store, observer, _, _ in
            try await store.operatorClient.advanceClock(by: .seconds(13 * 3600), because: "test")
            let (queue, other) = store.observed()
            await other.saw("updated coins deferred")
            queue.add(SKMutablePayment("coins"))
            await other.saw("updated coins deferred", times: 2)
            try await store.operatorClient.advanceClock(by: .seconds(13 * 3600), because: "test")
            await other.saw("updated coins failed")
            #expect(queue.transactions.map(\.transactionState) == [.failed, .deferred])
        }
    }

    @Test("S-36: a payment can request the simulation of Ask to Buy")
    func aPaymentSimulatesAskToBuy() async throws {
        try await StoreHarness.run { store in
            let (queue, observer) = store.observed()
            let payment = SKMutablePayment("coins")
            payment.simulatesAskToBuyInSandbox = true
            queue.add(payment)
            await observer.saw("updated coins deferred")
            #expect(observer.updated.last?.payment.simulatesAskToBuyInSandbox == true)
        }
    }

    @Test("S-37: an interrupted purchase fails, and once resolved another transaction completes it")
    func anInterruptedPurchaseIsContinued() async throws {
        try await StoreHarness.run { store in
            try await store.set(.interruptedPurchases, "true")
            let (queue, observer) = store.observed(finishes: true)
            queue.add(SKMutablePayment("coins", quantity: 2))
            await observer.saw("removed coins")
            #expect(observer.calls.prefix(2) == ["updated coins purchasing", "updated coins failed"])
            try await store.set(.interruptedPurchases, "false")
            let id = try #require(try await store.stored().first?.id)
            try await store.operatorClient.resolve(id, because: "test")
            await observer.saw("removed coins", times: 2)
            let resolved = try #require(observer.removed.last)
            #expect(resolved !== observer.removed.first && resolved.transactionState == .purchased)
            #expect(resolved.payment.quantity == 2)
        }
    }
}

extension AuthorizationAgent {
    fileprivate func firstRequest() async throws -> AuthorizationRequest? {
        for try await request in requests { return request }
        return nil
    }
}
