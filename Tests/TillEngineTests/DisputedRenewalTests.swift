import FoundationEssentials
import Testing
@testable import TillEngine
import TillMemoryLedger
import TillModel
import TillTesting

/// Renewals of an account that disputes a payment.
@Suite(.timeLimit(.minutes(5))) struct DisputedRenewalTests {
    private static let by = OperatorIdentity(uid: 501, reason: "read the bank's letter")
    private static let letters = QueueName(application: "org.example.notes", account: "uid:2000")

    /// An account that has bought a product, and then a subscription.
    private static func with(
        product: String = "monthly",
        hasGrace: Bool = true,
        _ body: @escaping @Sendable (EngineHarness, PreparingProvider, _ disputed: UUID) async throws -> Void
    ) async throws {
        let provider = PreparingProvider(hasNews: true)
        let harness = EngineHarness(preparing: provider)
        harness.changeStore { $0.hasGracePeriod = hasGrace }
        try await harness.run { harness in
            let disputed = try await harness.buy(product)
            if product != "monthly" {
                _ = try await harness.buy("monthly")
            }
            try await body(harness, provider, disputed.id)
        }
    }

    private static func dispute(
        _ status: ProviderReversal.Status,
        of payment: UUID,
        name: String = "du_1"
    ) -> ProviderReversal {
        ProviderReversal(
            reference: name,
            kind: .dispute,
            status: status,
            paymentID: payment,
            amount: 299,
            currency: "USD"
        )
    }

    @Test(arguments: ["monthly", "coins"])
    func noRenewalIsChargedWhileADisputeIsOpen(product: String) async throws {
        try await Self.with(product: product) { harness, provider, id in
            let charges = try await harness.charges().count
            try await harness.learn([Self.dispute(.withheld, of: id)], provider)
            try await harness.pass(days: 32)
            #expect(try await harness.subscriptions().map(\.state) == [.inGracePeriod])
            let latest = try #require(try await harness.subscriptions().first?.latestID)
            let why = try await harness.engine.explanation(ofTransaction: latest)
            #expect(why.sentence.contains("it waits until du_1 is decided"), "\(why.sentence)")
            #expect(!why.actions.contains("till resolve \(latest.text)"))
            await expect(.failedPrecondition) {
                _ = try await harness.engine.resolve(latest, review: nil, by: Self.by)
            }
            await expect(.failedPrecondition) {
                _ = try await harness.engine.renewSubscription(latest, by: Self.by)
            }
            try await harness.pass(days: 60)
            #expect(try await harness.subscriptions().map(\.expirationReason) == [.billingError])
            #expect(try await harness.charges().count == charges)
        }
    }

    @Test(arguments: [true, false])
    func aWonDisputeLetsTheRenewalBeTriedAtOnce(isInGrace: Bool) async throws {
        try await Self.with { harness, provider, id in
            try await harness.learn([Self.dispute(.withheld, of: id)], provider)
            try await harness.pass(days: isInGrace ? 40 : 60)
            try await harness.learn([Self.dispute(.failed, of: id)], provider)
            let now = harness.time.now()
            try await harness.settle()
            #expect(try await harness.subscriptions().map(\.state) == [.subscribed])
            let terms = try await harness.periods().compactMap(\.term)
            #expect(terms.count == 2)
            #expect(isInGrace ? terms[1].start == terms[0].end : abs(terms[1].start.timeIntervalSince(now)) <= 60)
        }
    }

    /// A dispute that is decided before the renewal is due delays nothing.
    @Test func aDisputeThatIsDecidedInTimeChangesNothing() async throws {
        try await Self.with { harness, provider, id in
            try await harness.learn([Self.dispute(.withheld, of: id)], provider)
            try await harness.pass(days: 10)
            try await harness.learn([Self.dispute(.failed, of: id)], provider)
            try await harness.pass(days: 22)
            let terms = try await harness.periods().compactMap(\.term)
            #expect(terms.count == 2 && terms.first?.end == terms.last?.start)
        }
    }

    @Test func aLostDisputeOfTheLastPeriodEndsTheSubscription() async throws {
        try await Self.with { harness, provider, id in
            try await harness.learn([Self.dispute(.withheld, of: id)], provider)
            try await harness.pass(days: 32)
            try await harness.learn([Self.dispute(.succeeded, of: id)], provider)
            try await harness.pass(days: 100)
            #expect(try await harness.subscriptions().map(\.state) == [.revoked])
            #expect(try await harness.charges().count == 1)
        }
    }

    @Test(arguments: [true, false])
    func aLostDisputeOfAnOlderPeriodEndsTheRenewal(wasSeenOpen: Bool) async throws {
        try await Self.with { harness, provider, id in
            try await harness.pass(days: 32)
            if wasSeenOpen {
                try await harness.learn([Self.dispute(.withheld, of: id)], provider)
            }
            try await harness.learn([Self.dispute(.succeeded, of: id)], provider)
            let status = try #require(try await harness.subscriptions().first)
            #expect(status.state == .subscribed && !status.willAutoRenew)
            let why = try await harness.engine.explanation(ofTransaction: status.latestID)
            #expect(why.sentence.contains("It does not renew."), "\(why.sentence)")
            try await harness.pass(days: 100)
            #expect(try await harness.subscriptions().map(\.state) == [.expired])
            #expect(try await harness.charges().count == 2)
        }
    }

    @Test func otherSubscriptionsOfTheAccountWaitTooAndContinue() async throws {
        try await Self.with { harness, provider, id in
            _ = try await harness.buy("silver.plus")
            try await harness.learn([Self.dispute(.withheld, of: id)], provider)
            try await harness.pass(days: 32)
            #expect(try await harness.subscriptions().map(\.state) == [.inGracePeriod, .inGracePeriod])
            try await harness.learn([Self.dispute(.succeeded, of: id)], provider)
            try await harness.settle()
            #expect(try await harness.subscriptions().map(\.state) == [.revoked, .subscribed])
        }
    }

    @Test func renewalsOfOtherAccountsDoNotWait() async throws {
        try await Self.with { harness, provider, id in
            _ = try await harness.buy("monthly", in: Self.letters)
            try await harness.learn([Self.dispute(.withheld, of: id)], provider)
            try await harness.pass(days: 32)
            let other = try await harness.engine.subscriptions(in: Self.letters, token: 0, limit: 1).page
            #expect(other.map(\.state) == [.subscribed])
            #expect(try await harness.charges().count == 3)
        }
    }

    @Test func anInquiryPausesNothing() async throws {
        try await Self.with { harness, provider, id in
            try await harness.learn([Self.dispute(.pending, of: id)], provider)
            try await harness.pass(days: 32)
            #expect(try await harness.charges().count == 2)
        }
    }

    @Test func renewalsWaitForAllDisputes() async throws {
        try await Self.with(product: "coins") { harness, provider, id in
            let open = [Self.dispute(.withheld, of: id), Self.dispute(.withheld, of: id, name: "du_2")]
            try await harness.learn(open, provider)
            try await harness.pass(days: 32)
            try await harness.learn([Self.dispute(.failed, of: id)], provider)
            try await harness.settle()
            #expect(try await harness.subscriptions().map(\.state) == [.inGracePeriod])
            try await harness.learn([Self.dispute(.failed, of: id, name: "du_2")], provider)
            try await harness.settle()
            #expect(try await harness.subscriptions().map(\.state) == [.subscribed])
        }
    }

    @Test(arguments: [ReviewOutcome.charged(reference: nil), .notCharged])
    func anOperatorsDecisionEndsTheWait(outcome: ReviewOutcome) async throws {
        try await Self.with(product: "coins") { harness, provider, id in
            let open = Self.dispute(.withheld, of: id)
            try await harness.learn([open], provider)
            try await harness.pass(days: 32)
            let refund = try #require(try await harness.rows(of: id).refunds.first)
            _ = try await harness.engine.resolve(refund.id, review: outcome, by: Self.by)
            try await harness.learn([open], provider)
            try await harness.settle()
            #expect(try await harness.subscriptions().map(\.state) == [.subscribed])
        }
    }

    @Test func theNextEngineWaitsToo() async throws {
        try await Self.with { harness, provider, id in
            try await harness.learn([Self.dispute(.withheld, of: id)], provider)
            guard let ledger = harness.ledger as? MemoryLedger else {
                Issue.record("The ledger is another one.")
                return
            }
            let nextProvider = PreparingProvider(hasNews: true)
            // Its next news have a cursor that the ledger does not have yet.
            _ = nextProvider.tell([])
            let next = EngineHarness(ledger: ledger.snapshot(), time: harness.time, preparing: nextProvider)
            try await next.run { next in
                try await next.pass(days: 32)
                #expect(try await next.charges().count == 1)
                try await next.learn([Self.dispute(.failed, of: id)], nextProvider)
                try await next.settle()
                #expect(try await next.charges().map(\.state) == [.succeeded, .succeeded])
            }
        }
    }
}
