import FoundationEssentials
import Testing
@testable import TillEngine
import TillMemoryLedger
import TillModel
import TillTesting

/// What happens to payments at the provider after they were charged.
@Suite(.timeLimit(.minutes(5))) struct ReversalTests {
    private static let by = OperatorIdentity(uid: 501, reason: "read the bank's letter")

    private static func with(
        _ product: String,
        _ body: @escaping @Sendable (EngineHarness, PreparingProvider, UUID) async throws -> Void
    ) async throws {
        let provider = PreparingProvider(hasNews: true)
        try await EngineHarness(preparing: provider).run { harness in
            let bought = try await harness.buy(product)
            try await body(harness, provider, bought.id)
        }
    }

    private static func reversal(
        _ kind: ProviderReversal.Kind,
        _ status: ProviderReversal.Status,
        of payment: UUID,
        amount: Int64 = 499
    ) -> ProviderReversal {
        ProviderReversal(
            reference: kind == .dispute ? "du_1" : "re_1",
            kind: kind,
            status: status,
            paymentID: payment,
            amount: amount,
            currency: "USD"
        )
    }

    @Test func aRefundMadeElsewhereRevokesThePurchase() async throws {
        try await Self.with("pro") { harness, provider, id in
            try await harness.learn([Self.reversal(.refund(nil), .succeeded, of: id)], provider)
            let record = try await harness.record(id)
            #expect(record?.revocation?.quantity == 1 && record?.isEntitlement == false)
            #expect(try await harness.details(of: id).contains("the refund re_1 that was made at the provider"))
            let events = try await harness.events(after: nil) { $0.contains { $0.summary == "revoked pro" } }
            #expect(events.contains { $0.summary == "revoked pro" })
        }
    }

    /// Its name at the provider is malformed, which must not keep the other news back.
    @Test func aReversalWhoseNameNoLedgerCanKeepIsSkipped() async throws {
        try await Self.with("pro") { harness, provider, id in
            var malformed = Self.reversal(.refund(nil), .succeeded, of: id)
            malformed.reference = "re_\u{0}"
            try await harness.learn([malformed], provider)
            #expect(try await harness.record(id)?.revocation == nil)
            try await harness.learn([malformed, Self.reversal(.refund(nil), .succeeded, of: id)], provider)
            #expect(try await harness.record(id)?.revocation?.quantity == 1)
        }
    }

    /// The same news twice, and the state before it, change nothing.
    @Test func theSameNewsAgainChangesNothing() async throws {
        try await Self.with("pro") { harness, provider, id in
            let lost = Self.reversal(.dispute, .succeeded, of: id)
            try await harness.learn([Self.reversal(.dispute, .withheld, of: id), lost, lost], provider)
            let before = try await harness.rows(of: id)
            try await harness.learn([lost, Self.reversal(.dispute, .withheld, of: id), lost], provider)
            #expect(try await harness.rows(of: id) == before)
            #expect(before.refunds.map(\.state) == [.succeeded])
        }
    }

    @Test func anInquiryIsNotedOnce() async throws {
        try await Self.with("pro") { harness, provider, id in
            let inquiry = Self.reversal(.dispute, .pending, of: id)
            try await harness.learn([inquiry, inquiry], provider)
            let notes = try await harness.details(of: id).filter { $0.contains("bank asks about the payment: du_1") }
            #expect(notes.count == 1)
            #expect(try await harness.record(id)?.revocation == nil)
        }
    }

    @Test(arguments: [ProviderReversal.Status.succeeded, .failed])
    func aDisputeRevokesOnlyOnceItIsLost(_ end: ProviderReversal.Status) async throws {
        try await Self.with("pro") { harness, provider, id in
            try await harness.learn([Self.reversal(.dispute, .withheld, of: id)], provider)
            #expect(try await harness.record(id)?.revocation == nil)
            let why = try await harness.engine.explanation(ofTransaction: id)
            #expect(why.sentence.contains("du_1 at the provider takes money back, and is not decided yet"), "\(why)")
            await expect(.failedPrecondition) {
                _ = try await harness.engine.refund(RefundOrder(transactionID: id), by: Self.by)
            }
            try await harness.learn([Self.reversal(.dispute, end, of: id)], provider)
            #expect(try await harness.record(id)?.revocation?.quantity == (end == .succeeded ? 1 : nil))
            #expect(try await harness.rows(of: id).refunds.map(\.state) == [end == .succeeded ? .succeeded : .failed])
        }
    }

    /// While the dispute was open, it held the purchase, so that the refund had nothing left to hold.
    @Test func aRefundOfEverythingRevokesAPurchaseWhoseDisputeIsWonAfterwards() async throws {
        try await Self.with("pro") { harness, provider, id in
            let refund = Self.reversal(.refund(nil), .succeeded, of: id)
            let won = Self.reversal(.dispute, .failed, of: id)
            try await harness.learn([Self.reversal(.dispute, .withheld, of: id), refund], provider)
            #expect(try await harness.record(id)?.revocation == nil)
            try await harness.learn([won], provider)
            let record = try await harness.record(id)
            #expect(record?.revocation?.quantity == 1 && record?.isEntitlement == false)
            let before = try await harness.rows(of: id)
            try await harness.learn([refund, won], provider)
            #expect(try await harness.rows(of: id) == before)
        }
    }

    /// The bank decides again.
    @Test func aDisputeThatIsLostAfterAllTakesNoMoreThanThereWas() async throws {
        try await Self.with("pro") { harness, provider, id in
            let states: [ProviderReversal.Status] = [.withheld, .failed, .succeeded]
            let refund = Self.reversal(.refund(nil), .succeeded, of: id)
            for state in states {
                try await harness.learn([Self.reversal(.dispute, state, of: id), refund], provider)
            }
            #expect(try await harness.record(id)?.revocation?.quantity == 1)
        }
    }

    @Test func aRevocationIsReversedWhenTheDisputeIsWon() async throws {
        try await Self.with("pro") { harness, provider, id in
            try await harness.learn([Self.reversal(.dispute, .succeeded, of: id)], provider)
            let revoked = try await harness.record(id)
            try await harness.learn([Self.reversal(.dispute, .failed, of: id)], provider)
            let record = try await harness.record(id)
            #expect(record?.revocation == nil && record?.isEntitlement == true)
            #expect(record?.isRevocationPending == false)
            #expect((record?.revision ?? 0) > (revoked?.revision ?? 0))
            #expect(record?.receipt != nil && record?.receipt != revoked?.receipt, "a new receipt is signed")
            let owned = try await harness.engine.entitlements(in: EngineHarness.notes, token: 0, limit: 32)
            #expect(owned.page.map(\.transactionID) == [id])
        }
    }

    /// The revocation stands until an operator decides.
    @Test(arguments: [true, false])
    func aRefundThatFailsLateNeedsAnOperator(paysOtherwise: Bool) async throws {
        try await Self.with("pro") { harness, provider, id in
            try await harness.learn([Self.reversal(.refund(nil), .succeeded, of: id)], provider)
            let failed = Self.reversal(.refund(nil), .failed, of: id)
            try await harness.learn([failed, failed], provider)
            let rows = try await harness.rows(of: id)
            #expect(rows.refunds.map(\.state) == [.needsReview])
            #expect(rows.transaction?.revocation?.quantity == 1)
            let refund = try #require(rows.refunds.first)
            let outcome: ReviewOutcome = paysOtherwise ? .charged(reference: "by cheque") : .notCharged
            _ = try await harness.engine.resolve(refund.id, review: outcome, by: Self.by)
            let record = try await harness.record(id)
            #expect(record?.revocation?.quantity == (paysOtherwise ? 1 : nil))
            #expect(record?.isEntitlement == !paysOtherwise)
            try await harness.learn([failed], provider)
            let after = try await harness.rows(of: id).refunds
            #expect(after.map(\.state) == [paysOtherwise ? .succeeded : .failed], "what the operator found counts")
        }
    }

    @Test func aSubscriptionContinuesToTheEndOfItsPeriod() async throws {
        try await Self.with("monthly") { harness, provider, id in
            let amount = try #require(try await harness.charges().first?.request.amount)
            try await harness.learn([Self.reversal(.dispute, .succeeded, of: id, amount: amount)], provider)
            #expect(try await harness.subscriptions().map(\.state) == [.revoked])
            try await harness.learn([Self.reversal(.dispute, .failed, of: id, amount: amount)], provider)
            let subscription = try #require(try await harness.subscriptions().first)
            #expect(subscription.state == .subscribed && !subscription.willAutoRenew)
            harness.time.advance(by: subscription.expirationDate.timeIntervalSince(harness.time.now()) + 1)
            try await harness.engine.settleDue()
            #expect(try await harness.subscriptions().map(\.state) == [.expired])
        }
    }

    @Test func moneyAloneRevokesNothing() async throws {
        try await Self.with("pro") { harness, provider, id in
            try await harness.learn([Self.reversal(.refund(nil), .succeeded, of: id, amount: 100)], provider)
            #expect(try await harness.record(id)?.revocation == nil)
            #expect(try await harness.rows(of: id).refunds.map(\.amount) == [100])
        }
    }

    @Test func aPaymentOfNobodyIsIgnored() async throws {
        try await Self.with("pro") { harness, provider, id in
            let before = try await harness.rows(of: id)
            try await harness.learn([Self.reversal(.dispute, .succeeded, of: .version7())], provider)
            #expect(try await harness.rows(of: id) == before)
        }
    }

    /// The provider names the payment that failed under review; what another transaction delivered is revoked.
    @Test func aReviewedPurchaseIsRevokedWhereItIs() async throws {
        let provider = PreparingProvider(asksPayer: true, hasNews: true)
        try await EngineHarness(preparing: provider, configure: { $0.purchasingDeadline = .seconds(600) }).run {
            harness in
            let payment = try await harness.paymentWaitingForPayer(for: "pro", provider)
            provider.setReachable(false)
            try await harness.advance(until: payment.id)
            let review = ReviewOutcome.charged(reference: "pi_1")
            let continuing = try await harness.engine.resolve(payment.id, review: review, by: Self.by)
            try await harness.learn([Self.reversal(.dispute, .succeeded, of: payment.id)], provider)
            #expect(try await harness.record(continuing.id)?.revocation?.quantity == 1)
        }
    }

    /// The payer pays on the provider's page, and the bank takes the money back before the engine looks at the page.
    @Test func aReversalThatComesBeforeItsPaymentIsFollowedSoon() async throws {
        let provider = PreparingProvider(asksPayer: true, hasNews: true)
        provider.newsGate.close()
        try await EngineHarness(preparing: provider, configure: { $0.newsInterval = .seconds(600) }).run { harness in
            let payment = try await harness.paymentWaitingForPayer(for: "pro", provider)
            let dispute = Self.reversal(.dispute, .succeeded, of: payment.id)
            let now = harness.time.now()
            #expect(try await harness.charges().allSatisfy { $0.dueAt > now })
            await provider.newsGate.arrival()
            provider.settle("prepared-0", .succeed)
            _ = provider.tell([dispute])
            provider.newsGate.open()
            while try await harness.charges().contains(where: { $0.dueAt > now }) {
                try await Task.yieldUnlessCancelled()
            }
            #expect(try await harness.record(payment.id)?.state == .deferred)
            // As Stripe's events do, it comes again.
            _ = provider.tell([dispute])
            while try await harness.record(payment.id)?.revocation == nil, harness.time.now() < now + 60 {
                try await harness.letJobsRun()
                harness.time.advance(by: 1)
            }
            #expect(try await harness.record(payment.id)?.revocation?.quantity == 1)
        }
    }

    /// The daemon ends after it has stored news and before it has stored the cursor.
    @Test func newsThatWereStoredComeAgainAfterARestart() async throws {
        let provider = PreparingProvider(hasNews: true)
        let ledger = MemoryLedger()
        let time = VirtualTime()
        try await EngineHarness(ledger: ledger, time: time, preparing: provider).run { harness in
            let bought = try await harness.buy("pro")
            let reversal = Self.reversal(.refund(nil), .succeeded, of: bought.id)
            try await harness.learn([reversal], provider)
            let before = try await harness.rows(of: bought.id)
            let again = PreparingProvider(hasNews: true)
            try await EngineHarness(ledger: ledger.snapshot(), time: time, preparing: again).run { next in
                try await next.learn([reversal], again)
                #expect(try await next.rows(of: bought.id) == before)
            }
        }
    }
}

extension EngineHarness {
    func details(of id: UUID) async throws -> [String] {
        try await rows(of: id).history.map(\.detail)
    }

    /// Returns once the engine has stored this news of the provider's.
    func learn(
        _ reversals: [ProviderReversal] = [],
        methods: [PaymentMethodChange] = [],
        _ provider: PreparingProvider
    ) async throws {
        let cursor = provider.tell(reversals, methods: methods)
        while try await ledger.read({ try $0.settings()[NewsJob.settingName] }) != cursor {
            time.advance(by: 60)
            try await Task.yieldUnlessCancelled()
        }
    }
}
