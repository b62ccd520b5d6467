import FoundationEssentials
import Testing
@testable import TillEngine
import TillModel
import TillTesting

@Suite struct ExplanationTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var state: TransactionState
        var blocker: Blocker?
        var change: @Sendable (inout ExplanationText.Facts) -> Void = { _ in }
        var says: String
        /// `ID` is the transaction's identity, `ORIGINAL` its original's, `REFUND` the refund's.
        var actions: [String]

        var testDescription: String { name }
    }

    @Test(arguments: waiting + failed + owned)
    func everyStateHasItsSentenceAndItsActions(example: Case) {
        var facts = Self.facts(example.state, example.blocker)
        example.change(&facts)
        let text = ExplanationText(facts)
        #expect(text.sentence.contains(example.says), "\(text.sentence)")
        let id = facts.transaction.id.text
        let names = ["ID": id, "ORIGINAL": Self.original.id.text, "REFUND": Self.reviewed.id.text]
        let actions = example.actions.map { action in
            action.split(separator: " ").map { names[String($0)] ?? String($0) }.joined(separator: " ")
        }
        #expect(text.actions == actions)
    }

    @Test func theTableHasEveryBlockerAndEveryState() {
        let all = Self.waiting + Self.failed + Self.owned
        #expect(Set(all.compactMap(\.blocker)) == Set(Blocker.allCases))
        #expect(Set(all.map(\.state)) == Set(TransactionState.allCases))
    }

    private static let waiting = [
        Case(name: "asked", state: .purchasing, blocker: .provider, says: "has not answered yet", actions: []),
        Case(
            name: "unknown",
            state: .purchasing,
            blocker: .provider,
            change: { $0.charge?.attempts = 3 },
            says: "called 3 times without a clear answer",
            actions: ["till reconcile"]
        ),
        Case(
            name: "after another",
            state: .purchasing,
            blocker: .otherPayment,
            says: "waits for another payment for pro",
            actions: []
        ),
        Case(
            name: "consent",
            state: .purchasing,
            blocker: .authorization,
            says: "the user's consent, which an authorisation agent asks for; without an answer it fails at 2027",
            actions: ["till agent"]
        ),
        Case(
            name: "payer",
            state: .deferred,
            blocker: .payerAction,
            says: "waits for its payer",
            actions: []
        ),
        Case(
            name: "ask to buy",
            state: .deferred,
            blocker: .approval,
            says: "Ask to Buy",
            actions: ["till approve ID", "till decline ID"]
        ),
        Case(
            name: "interrupted, waiting",
            state: .deferred,
            blocker: .resolution,
            says: "is interrupted and waits",
            actions: ["till resolve ID"]
        ),
        Case(name: "between steps", state: .purchasing, says: "about to be charged", actions: []),
    ]

    private static let failed = [
        Case(
            name: "failed",
            state: .failed,
            change: { $0.transaction.error = PaymentError(.paymentCancelled, "The user cancelled.") },
            says: "It failed: The user cancelled. It is delivered until",
            actions: ["till finish ID"]
        ),
        Case(
            name: "failed and finished",
            state: .failed,
            change: { $0.transaction.finishedAt = Date(timeIntervalSince1970: 0) },
            says: "finished it on 1970-01-01",
            actions: []
        ),
        Case(
            name: "interrupted",
            state: .failed,
            change: { $0.transaction.isInterrupted = true },
            says: "another transaction continues it",
            actions: ["till resolve ID", "till finish ID"]
        ),
        Case(
            name: "in review",
            state: .failed,
            change: { facts in
                facts.charge?.state = .needsReview
                facts.transaction.finishedAt = Date(timeIntervalSince1970: 0)
            },
            says: "money may have moved",
            actions: ["till resolve ID --charged REFERENCE", "till resolve ID --not-charged", "till reconcile"]
        ),
    ]

    private static let owned = [
        Case(
            name: "purchased",
            state: .purchased,
            says: "It was purchased. It is delivered until",
            actions: ["till refund ID", "till finish ID"]
        ),
        Case(
            name: "purchased again",
            state: .purchased,
            change: { facts in
                facts.charge = nil
                facts.transaction.isEntitlement = false
                facts.transaction.original = Self.original
            },
            says: "free of charge, since the account owned it",
            actions: ["till refund ORIGINAL", "till finish ID"]
        ),
        Case(
            name: "restored",
            state: .restored,
            change: { $0.transaction.original = Self.original },
            says: "It was restored.",
            actions: ["till refund ORIGINAL", "till finish ID"]
        ),
        Case(
            name: "refund under way",
            state: .purchased,
            change: { $0.refunds = [RefundDecisionTests.refund(.open, 1, 499)] },
            says: "A refund waits for the provider's answer.",
            actions: ["till finish ID"]
        ),
        Case(
            name: "refund in review",
            state: .purchased,
            change: { $0.refunds = [Self.reviewed] },
            says: "answer to a refund stayed unknown",
            actions: ["till resolve REFUND --charged REFERENCE", "till resolve REFUND --not-charged", "till finish ID"]
        ),
        Case(
            name: "revoked",
            state: .purchased,
            change: { facts in
                facts.refunds = [RefundDecisionTests.refund(.succeeded, 1, 499)]
                facts.transaction.revocation = Revocation(date: .distantPast, reason: .other, quantity: 1)
                facts.transaction.isRevocationPending = true
                facts.transaction.finishedAt = .distantPast
            },
            says: "1 of 1 were revoked on 0001-01-01T00:00:00Z, which no observer has seen.",
            actions: []
        ),
        Case(
            name: "unpaid renewal",
            state: .purchased,
            change: { Self.leaveUnpaid(&$0) },
            says: "Its subscription is not in force, because its renewal was not paid for.",
            actions: ["till refund ID", "till resolve ID"]
        ),
        Case(
            name: "unpaid renewal that is tried again",
            state: .purchased,
            change: { facts in
                Self.leaveUnpaid(&facts)
                facts.subscription?.attempts = 1
                facts.subscription?.retryEnd = Date(timeIntervalSince1970: 1_800_000_000 + 9 * 86400)
            },
            says: "because its renewal was not paid for. The renewal is tried again at 2027-01-16T08:00:00Z.",
            actions: ["till refund ID", "till resolve ID"]
        ),
        Case(
            name: "renewal that needs another payment method",
            state: .purchased,
            change: { facts in
                Self.leaveUnpaid(&facts)
                facts.subscription?.attempts = BillingHold.paymentMethod.rawValue
            },
            says: "The renewal is not tried again by itself, because the payment method cannot pay for it",
            actions: ["till refund ID", "till resolve ID"]
        ),
        Case(
            name: "renewal during a dispute",
            state: .purchased,
            change: { facts in
                Self.leaveUnpaid(&facts)
                facts.dispute = "du_1"
            },
            says: "No renewal is charged while a dispute is open: it waits until du_1 is decided.",
            actions: ["till refund ID"]
        ),
        Case(
            name: "no renewal any more",
            state: .purchased,
            change: { facts in
                Self.leaveUnpaid(&facts)
                facts.subscription?.state = .subscribed
                facts.subscription?.willRenew = false
                facts.dispute = "du_1"
            },
            says: "Its subscription is in force. It does not renew. The application",
            actions: ["till refund ID"]
        ),
        Case(
            name: "renewal in review",
            state: .purchased,
            change: { facts in
                facts.transaction.finishedAt = .distantPast
                facts.renewal = facts.charge
            },
            says: "The provider's answer to its renewal stayed unknown",
            actions: [
                "till refund ID", "till resolve ID --charged REFERENCE", "till resolve ID --not-charged",
            ]
        ),
    ]

    private static func leaveUnpaid(_ facts: inout ExplanationText.Facts) {
        facts.transaction.finishedAt = .distantPast
        facts.transaction.term = TermRecord(subscription: 1, groupID: "g", start: .distantPast, end: .distantFuture)
        facts.subscription = unpaid
    }

    private static let unpaid = SubscriptionRecord(
        queue: 1,
        groupID: "g",
        original: OriginalRecord(key: 1, id: UUID(), purchasedAt: .distantPast),
        latestKey: 1,
        productID: "pro",
        renewalProductID: "pro",
        state: .inBillingRetryPeriod,
        periodStart: .distantPast,
        periodEnd: Date(timeIntervalSince1970: 1_800_000_000),
        renewalAmount: 1,
        currency: "USD",
        dueAt: nil
    )

    private static let reviewed = RefundDecisionTests.refund(.needsReview, 1, 499)
    private static let original = OriginalRecord(key: 1, id: UUID(), purchasedAt: .distantPast)

    private static func facts(_ state: TransactionState, _ blocker: Blocker?) -> ExplanationText.Facts {
        var facts = RefundDecisionTests.facts(quantity: 1, paid: 499)
        facts.transaction.payment.productID = "pro"
        facts.transaction.state = state
        facts.transaction.blocker = blocker
        facts.transaction.deadline = blocker.map { _ in Date(timeIntervalSince1970: 1_800_000_000) }
        return ExplanationText.Facts(transaction: facts.transaction, charge: facts.charge)
    }
}
