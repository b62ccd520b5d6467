import FoundationEssentials
import NIOConcurrencyHelpers
import Testing
import TillEngine
import TillModel
import TillTesting

@Suite(.timeLimit(.minutes(10))) struct AgentTests {
    static let user = Approver(uid: 1000, account: "uid:1000", approvesForOthers: false)

    /// The events that an agent has received so far.
    struct Told: Sendable {
        let events = NIOLockedValueBox<[AuthorizationEvent?]>([])

        /// Waits until it has received the nth event.
        func event(_ number: Int) async throws -> AuthorizationEvent? {
            while events.withLockedValue({ $0.count <= number }) {
                try await Task.yieldUnlessCancelled()
            }
            return events.withLockedValue { $0[number] }
        }

        /// The question of the nth time; an issue if it was something else.
        func request(_ number: Int) async throws -> AuthorizationRequest? {
            guard case .requested(let request) = try await event(number) else {
                Issue.record("The agent received no request.")
                return nil
            }
            return request
        }
    }

    /// Runs an agent of the user for as long as `body` takes.
    private static func withAgent(
        of approver: Approver = user,
        _ harness: EngineHarness,
        _ body: (Told) async throws -> Void
    ) async throws {
        let watch = harness.engine.watchAuthorizationRequests(for: approver)
        let told = Told()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try? await watch.run { event in told.events.withLockedValue { $0.append(event) } } }
            while !harness.engine.isAgentAttached(account: approver.account) {
                try await Task.yieldUnlessCancelled()
            }
            try await body(told)
            group.cancelAll()
        }
    }

    /// An answer to the price before would be refused.
    @Test func aPriceThatIsRaisedAgainIsAnotherQuestion() async throws {
        try await EngineHarness().run { harness in
            let bought = try await harness.buy("monthly")
            let identity = OperatorIdentity(uid: 501, reason: "costs rose")
            let prices = [599, 999].map { Price(minorUnits: $0, currency: "USD") }
            try await Self.withAgent(harness) { told in
                _ = try await harness.engine.requestPriceConsent(bought.id, amount: prices[0].amount, by: identity)
                #expect(try await told.request(0)?.price == prices[0])
                _ = try await harness.engine.requestPriceConsent(bought.id, amount: prices[1].amount, by: identity)
                #expect(try await told.event(1) == .withdrawn(id: bought.id, kind: .priceConsent))
                #expect(try await told.request(2)?.price == prices[1])
            }
        }
    }

    @Test func whileAnAgentIsAttachedPaymentsWaitForIt() async throws {
        try await EngineHarness().run { harness in
            let payment = Payment(productID: "coins")
            try await Self.withAgent(harness) { told in
                let added = try await harness.engine.addPayment(payment, to: EngineHarness.notes)
                #expect(added.state == .purchasing)
                #expect(added.blocker == .authorization)
                let request = try await told.request(0)
                #expect(request?.id == payment.id)
                #expect(request?.kind == .purchase)
                #expect(request?.application == EngineHarness.notes.application)
                try await harness.engine.answer(payment.id, kind: .purchase, approves: true, reason: "", by: Self.user)
                let withdrawn = try await told.event(1)
                #expect(withdrawn == .withdrawn(id: payment.id, kind: .purchase))
                let final = try await harness.final(payment.id)
                #expect(final.state == .purchased)
            }
            let later = try await harness.engine.addPayment(Payment(productID: "coins"), to: EngineHarness.notes)
            #expect(later.blocker == .provider, "nobody is attached any more")
        }
    }

    /// The payment stays in purchasing while its user's agent shows the page.
    @Test func anAgentLearnsOfAPageAndOfItsEnd() async throws {
        let provider = PreparingProvider(asksPayer: true)
        try await EngineHarness(preparing: provider).run { harness in
            try await Self.withAgent(harness) { told in
                let payment = try await harness.paymentWaitingForPayer(provider)
                let request = try await told.request(0)
                #expect(request?.id == payment.id)
                let waiting = try await harness.ledger.read { try $0.transaction(payment.id) }
                #expect(waiting?.state == .purchasing)
                provider.settle("prepared-0", .succeed)
                try await harness.advance(until: payment.id)
                let withdrawn = try await told.event(1)
                #expect(withdrawn == .withdrawn(id: payment.id, kind: .payment))
            }
        }
    }

    /// A stream that waits until its peer reads holds no questions.
    @Test func aQuestionIsMadeWhenThereIsRoomForIt() async throws {
        try await EngineHarness().run { harness in
            let gate = Gate()
            let told = Told()
            let watch = harness.engine.watchAuthorizationRequests(for: Self.user)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    try? await watch.run(
                        send: { event in told.events.withLockedValue { $0.append(event) } },
                        delivering: { make in
                            await gate.pass()
                            guard let event = try await make() else {
                                return false
                            }
                            told.events.withLockedValue { $0.append(event) }
                            return true
                        }
                    )
                }
                while !harness.engine.isAgentAttached(account: Self.user.account) {
                    try await Task.yieldUnlessCancelled()
                }
                let answered = Payment(productID: "coins")
                _ = try await harness.engine.addPayment(answered, to: EngineHarness.notes)
                await gate.arrival()
                let open = Payment(productID: "coins")
                _ = try await harness.engine.addPayment(open, to: EngineHarness.notes)
                let id = answered.id
                try await harness.engine.answer(id, kind: .purchase, approves: false, reason: "", by: Self.user)
                gate.open()
                let request = try await told.request(0)
                #expect(request?.id == open.id)
                group.cancelAll()
            }
        }
    }

    @Test func aCancelledPaymentFailsAsTheUserSaid() async throws {
        try await EngineHarness().run { harness in
            let payment = Payment(productID: "coins")
            try await Self.withAgent(harness) { _ in
                _ = try await harness.engine.addPayment(payment, to: EngineHarness.notes)
                try await harness.engine.answer(payment.id, kind: .purchase, approves: false, reason: "", by: Self.user)
            }
            let final = try await harness.final(payment.id)
            #expect(final.error?.code == .paymentCancelled)
            #expect(final.error?.reason == .cancelled)
            #expect(final.error?.moneyMoved == .no)
            #expect(harness.provider.calls.isEmpty)
        }
    }

    @Test func aQuestionOutlivesTheAgentThatWasAsked() async throws {
        try await EngineHarness().run { harness in
            let payment = Payment(productID: "coins")
            try await Self.withAgent(harness) { _ in
                _ = try await harness.engine.addPayment(payment, to: EngineHarness.notes)
            }
            try await Self.withAgent(harness) { told in
                let request = try await told.request(0)
                #expect(request?.id == payment.id)
            }
            harness.time.advance(by: 601)
            let final = try await harness.final(payment.id)
            #expect(final.error?.reason == .expired)
        }
    }

    @Test func anAgentGetsQuestionsOfItsOwnAccountOnly() async throws {
        let other = Approver(uid: 1002, account: "uid:1002", approvesForOthers: false)
        try await EngineHarness().run { harness in
            try await Self.withAgent(of: other, harness) { _ in
                let added = try await harness.engine.addPayment(Payment(productID: "coins"), to: EngineHarness.notes)
                #expect(added.blocker == .provider, "another account's agent is none")
            }
            let payment = Payment(productID: "coins")
            try await Self.withAgent(harness) { _ in
                _ = try await harness.engine.addPayment(payment, to: EngineHarness.notes)
                let page = try await harness.engine.authorizationRequests(for: other, token: 0, limit: 32).page
                #expect(page.isEmpty)
                await expect(.notFound) {
                    try await harness.engine.answer(payment.id, kind: .purchase, approves: true, reason: "", by: other)
                }
            }
        }
    }

    @Test func anAgentThatHearsNothingGetsHeartbeats() async throws {
        try await EngineHarness().run { harness in
            try await Self.withAgent(harness) { told in
                while told.events.withLockedValue({ $0.isEmpty }) {
                    harness.time.advance(by: 16)
                    try await Task.yieldUnlessCancelled()
                }
                let event = try await told.event(0)
                #expect(event == nil)
            }
        }
    }
}
