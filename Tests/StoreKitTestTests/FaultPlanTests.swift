import Testing
@testable import StoreKitTest

@Suite struct FaultPlanTests {
    @Test func callsAreCountedByFault() {
        var plan = FaultPlan([
            SKTestFault(.charge, .declined, productIdentifier: "a", calls: 2...3),
            SKTestFault(.charge, .beforeEffect, calls: 4...4),
        ])
        let stages = ["a", "b", "a", "a", "b", "a"].map { plan.stage(of: .charge, productIdentifier: $0) }
        #expect(stages == [nil, nil, .declined, .declined, nil, nil])
        #expect(plan.stage(of: .refund, productIdentifier: "a") == nil)
    }

    @Test func theFirstMatchingFaultApplies() {
        var plan = FaultPlan([SKTestFault(.refund, .afterEffect), SKTestFault(.refund, .declined)])
        #expect(plan.stage(of: .refund, productIdentifier: nil) == .afterEffect)
    }

    @Test(arguments: [(0.0, 0), (1.0, 100)]) func probabilitiesZeroAndOneAreExact(probability: Double, count: Int) {
        var plan = FaultPlan([SKTestFault(.charge, .declined, probability: probability)], seed: 3)
        let stages = (0..<100).compactMap { _ in plan.stage(of: .charge, productIdentifier: "a") }
        #expect(stages.count == count)
    }

    @Test func eachFaultHasItsOwnRandomSequence() {
        let lucky = SKTestFault(.charge, .declined, probability: 0.5)
        var alone = FaultPlan([lucky], seed: 5)
        var beside = FaultPlan([lucky, SKTestFault(.charge, .declined, productIdentifier: "b")], seed: 5)
        let stages = (0..<64).map { _ in alone.stage(of: .charge, productIdentifier: "a") }
        #expect(stages == (0..<64).map { _ in beside.stage(of: .charge, productIdentifier: "a") })
    }
}
