import FoundationEssentials
import Testing
@testable import TillEngine
import TillModel

@Suite struct RefundDecisionTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var paid: Int64 = 300
        var quantity = 3
        var before: [(RefundRecord.State, quantity: Int, amount: Int64)] = []
        var order = 0
        var keepsMoney = false
        /// Quantity and amount; nil when it is refused.
        var expected: (quantity: Int, amount: Int64)?

        var testDescription: String { name }
    }

    @Test(arguments: [
        Case(name: "all", expected: (3, 300)),
        Case(name: "one of three", order: 1, expected: (1, 100)),
        Case(name: "more than there are", order: 4),
        Case(name: "the rest", before: [(.succeeded, 1, 100)], expected: (2, 200)),
        Case(name: "more than the rest", before: [(.succeeded, 2, 200)], order: 2),
        Case(name: "nothing left", before: [(.succeeded, 3, 300)]),
        Case(name: "an open refund holds its part", before: [(.open, 2, 200)], order: 2),
        Case(name: "one in review too", before: [(.needsReview, 2, 200)], order: 2),
        Case(name: "a failed one is free again", before: [(.failed, 3, 300)], order: 2, expected: (2, 200)),
        Case(name: "revoked without money", keepsMoney: true, expected: (3, 0)),
        Case(name: "the rest after a revocation", before: [(.succeeded, 1, 0)], expected: (2, 200)),
        Case(name: "free", paid: 0, expected: (3, 0)),
        Case(name: "no whole price", paid: 100, order: 1, expected: (1, 33)),
        Case(name: "the rest of no whole price", paid: 100, before: [(.succeeded, 1, 33)], expected: (2, 67)),
        Case(name: "after money alone", before: [(.succeeded, 0, 250)], expected: (3, 50)),
        Case(name: "after all the money", before: [(.succeeded, 0, 300)], expected: (3, 0)),
    ])
    func aRefundTakesBackTheRest(of example: Case) throws {
        var facts = Self.facts(quantity: example.quantity, paid: example.paid)
        facts.refunds = example.before.map { Self.refund($0.0, $0.quantity, $0.amount) }
        var order = RefundOrder(transactionID: facts.transaction.id, quantity: example.order)
        order.keepsMoney = example.keepsMoney
        switch (RefundDecision.decide(order, facts), example.expected) {
        case (.success(let decision), let expected?):
            #expect(decision.quantity == expected.quantity)
            #expect(decision.amount == expected.amount)
        case (.failure(let error), nil):
            #expect(error.code == .failedPrecondition)
        case (let decision, _):
            Issue.record("\(decision)")
        }
    }

    @Test(arguments: 1...10, [Int64](arrayLiteral: 1, 7, 99, 100, 1_000_000_000_000))
    func partsAddUpToTheAmountPaid(quantity: Int, paid: Int64) throws {
        var facts = Self.facts(quantity: quantity, paid: paid)
        while facts.remaining > 0 {
            let order = RefundOrder(transactionID: facts.transaction.id, quantity: 1)
            let decision = try RefundDecision.decide(order, facts).get()
            facts.refunds.append(Self.refund(.succeeded, decision.quantity, decision.amount))
        }
        #expect(facts.refunds.reduce(Int64(0)) { $0 + $1.amount } == paid)
    }

    @Test func anAmountThatNoChargeHasDoesNotTrap() throws {
        let facts = Self.facts(quantity: 10, paid: .max)
        let order = RefundOrder(transactionID: facts.transaction.id)
        #expect(try RefundDecision.decide(order, facts).get().amount == .max)
    }

    @Test(arguments: [TransactionState.purchasing, .deferred, .failed])
    func onlyAPurchaseIsRefunded(state: TransactionState) {
        var facts = Self.facts(quantity: 1, paid: 99)
        facts.transaction.state = state
        let error = Self.error(facts)
        #expect(error?.code == .failedPrecondition)
        #expect(error?.message.contains("\(state)") == true)
    }

    @Test(arguments: [TransactionState.purchased, .restored])
    func aRepetitionNamesItsOriginal(state: TransactionState) {
        let original = OriginalRecord(key: 1, id: UUID(), purchasedAt: .distantPast)
        var facts = Self.facts(quantity: 1, paid: 0)
        facts.charge = nil
        facts.transaction.state = state
        facts.transaction.original = original
        facts.transaction.isEntitlement = false
        let error = Self.error(facts)
        #expect(error?.code == .failedPrecondition)
        #expect(error?.message.contains(original.id.text) == true)
    }

    @Test func aRenewalIsAPurchaseOfItsOwn() throws {
        var facts = Self.facts(quantity: 1, paid: 99)
        facts.transaction.original = OriginalRecord(key: 1, id: UUID(), purchasedAt: .distantPast)
        facts.transaction.isEntitlement = false
        let order = RefundOrder(transactionID: facts.transaction.id)
        #expect(try RefundDecision.decide(order, facts).get().amount == 99)
    }

    private static func error(_ facts: RefundDecision.Facts) -> TillError? {
        switch RefundDecision.decide(RefundOrder(transactionID: facts.transaction.id), facts) {
        case .failure(let error): error
        case .success: nil
        }
    }

    static func facts(quantity: Int, paid: Int64) -> RefundDecision.Facts {
        let payment = Payment(productID: "coins", quantity: quantity)
        let transaction = TransactionRecord(
            key: 7,
            queue: 1,
            id: payment.id,
            payment: payment,
            productType: .consumable,
            state: .purchased,
            revision: 1,
            createdAt: .distantPast,
            isEntitlement: true
        )
        let charge = ChargeRecord(
            transactionKey: 7,
            queue: 1,
            request: ChargeRequest(
                paymentID: payment.id,
                application: "a",
                account: "b",
                productID: "coins",
                quantity: quantity,
                amount: paid,
                currency: "USD"
            ),
            state: .succeeded,
            createdAt: .distantPast,
            dueAt: .distantPast
        )
        return RefundDecision.Facts(transaction: transaction, charge: charge)
    }

    static func refund(_ state: RefundRecord.State, _ quantity: Int, _ amount: Int64) -> RefundRecord {
        RefundRecord(
            id: UUID(),
            transactionKey: 7,
            queue: 1,
            quantity: quantity,
            amount: amount,
            currency: "USD",
            reason: .other,
            state: state,
            createdAt: .distantPast,
            dueAt: .distantPast
        )
    }
}
