import FoundationEssentials
import Testing
@testable import TillEngine
import TillModel

/// What a refund or a dispute in the provider's record changes.
@Suite struct ReversalStepTests {
    private static let own = UUID.version7()

    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var kind: ProviderReversal.Kind
        var status: ProviderReversal.Status
        /// The state of the refund in the ledger; nil for none.
        var known: RefundRecord.State?
        /// Whether the ledger has the provider's name for it.
        var isNamed = true
        var amount: Int64 = 998
        var result: String
    }

    @Test(arguments: [
        Case("elsewhere, on its way", .refund(nil), .pending, nil, "none"),
        Case("elsewhere, whole", .refund(nil), .succeeded, nil, "add 2 succeeded"),
        Case("elsewhere, in part", .refund(nil), .succeeded, nil, amount: 499, "add 0 succeeded"),
        Case("elsewhere, known", .refund(nil), .succeeded, .succeeded, "none"),
        Case("elsewhere, never came", .refund(nil), .failed, nil, "none"),
        Case("elsewhere, failed late", .refund(nil), .failed, .succeeded, "review"),
        Case("elsewhere, with an operator", .refund(nil), .failed, .needsReview, "none"),
        Case("ours, being asked about", .refund(own), .succeeded, .open, isNamed: false, "none"),
        Case("ours, failing while asked about", .refund(own), .failed, .open, isNamed: false, "none"),
        Case("ours, unknown until now", .refund(own), .succeeded, .needsReview, isNamed: false, "settle succeeded"),
        Case("ours, unknown and failed", .refund(own), .failed, .needsReview, isNamed: false, "settle failed"),
        Case("ours, against the operator", .refund(own), .succeeded, .failed, isNamed: false, "settle succeeded"),
        Case("ours, failed late", .refund(own), .failed, .succeeded, "review"),
        Case("the bank asks", .dispute, .pending, nil, "note"),
        Case("the bank stops asking", .dispute, .failed, nil, "none"),
        Case("disputed", .dispute, .withheld, nil, "add 2 needsReview"),
        Case("disputed, known", .dispute, .withheld, .needsReview, "none"),
        Case("disputed, decided by an operator", .dispute, .withheld, .failed, "none"),
        Case("lost", .dispute, .succeeded, .needsReview, "settle succeeded"),
        Case("lost, unseen until now", .dispute, .succeeded, nil, "add 2 succeeded"),
        Case("lost, known", .dispute, .succeeded, .succeeded, "none"),
        Case("lost, against the operator", .dispute, .succeeded, .failed, "settle succeeded"),
        Case("won", .dispute, .failed, .needsReview, "settle failed"),
        Case("won after it was lost", .dispute, .failed, .succeeded, "settle failed"),
        Case("won, known", .dispute, .failed, .failed, "none"),
    ])
    func eachStateHasOneStep(_ row: Case) {
        let known = row.known.map { state in
            Self.refund(id: Self.own, state, reference: row.isNamed ? "r-1" : nil)
        }
        let step = ReversalStep.decide(row.reversal, Self.facts([known].compactMap(\.self)))
        #expect(Self.text(step) == row.result)
    }

    @Test func twoPartsOutsideOfTillTakeTheWholeBack() {
        var first = Self.refund(id: .version7(), .succeeded, reference: "r-0")
        (first.quantity, first.amount) = (0, 499)
        let reversal = Case("", .refund(nil), .succeeded, nil, amount: 499, "").reversal
        #expect(ReversalStep.decide(reversal, Self.facts([first])) == .add(quantity: 2, .succeeded))
        first.state = .failed
        #expect(ReversalStep.decide(reversal, Self.facts([first])) == .add(quantity: 0, .succeeded))
    }

    @Test func anotherCurrencyNeedsAnOperator() {
        var reversal = Case("", .dispute, .succeeded, nil, "").reversal
        reversal.currency = "EUR"
        #expect(Self.text(ReversalStep.decide(reversal, Self.facts([]))) == "note")
    }

    @Test(arguments: [ChargeRecord.State.open, .declined, .needsReview])
    func aChargeThatDidNotSucceedHasNone(_ state: ChargeRecord.State) {
        var facts = Self.facts([])
        facts.charge?.state = state
        #expect(ReversalStep.decide(Case("", .dispute, .succeeded, nil, "").reversal, facts) == .none)
    }

    private static func text(_ step: ReversalStep) -> String {
        switch step {
        case .none: "none"
        case .note: "note"
        case .add(let quantity, let state): "add \(quantity) \(state)"
        case .settle(_, let state): "settle \(state)"
        case .review: "review"
        }
    }

    private static let payment = Payment(productID: "coins", quantity: 2)

    private static func facts(_ refunds: [RefundRecord]) -> RefundDecision.Facts {
        let transaction = TransactionRecord(
            queue: 1,
            id: payment.id,
            payment: payment,
            productType: .consumable,
            state: .purchased,
            revision: 1,
            createdAt: .now
        )
        let charge = ChargeRecord(
            transactionKey: 1,
            queue: 1,
            exclusiveGroup: nil,
            request: ChargeRequest(
                paymentID: payment.id,
                application: "org.example.notes",
                account: "uid:1000",
                productID: "coins",
                quantity: 2,
                amount: 998,
                currency: "USD"
            ),
            state: .succeeded,
            createdAt: .now,
            dueAt: .now
        )
        return RefundDecision.Facts(transaction: transaction, charge: charge, refunds: refunds)
    }

    private static func refund(id: UUID, _ state: RefundRecord.State, reference: String?) -> RefundRecord {
        RefundRecord(
            id: id,
            transactionKey: 1,
            queue: 1,
            quantity: 2,
            amount: 998,
            currency: "USD",
            reason: .other,
            state: state,
            createdAt: .now,
            dueAt: .now,
            reference: reference
        )
    }
}

extension ReversalStepTests.Case {
    init(
        _ description: String,
        _ kind: ProviderReversal.Kind,
        _ status: ProviderReversal.Status,
        _ known: RefundRecord.State?,
        isNamed: Bool = true,
        amount: Int64 = 998,
        _ result: String
    ) {
        self.init(
            testDescription: description,
            kind: kind,
            status: status,
            known: known,
            isNamed: isNamed,
            amount: amount,
            result: result
        )
    }

    var reversal: ProviderReversal {
        ProviderReversal(
            reference: "r-1",
            kind: kind,
            status: status,
            paymentID: .version7(),
            amount: amount,
            currency: "USD"
        )
    }
}
