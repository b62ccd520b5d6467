import Foundation
import Testing
import TillClient
import TillModel
@testable import StoreKitTest

@Suite(.timeLimit(.minutes(10))) struct FaultTests {
    @Test func aDeclinedPurchaseFailsAndTheNextDoesNot() throws {
        let session = try Store.session()
        session.simulate([SKTestFault(.charge, .declined, productIdentifier: Store.coins, calls: 2...2)])
        try session.buyProduct(productIdentifier: Store.coins)
        try session.buyProduct(productIdentifier: Store.pro)
        expect(.invalidAction) { try session.buyProduct(productIdentifier: Store.coins) }
        try session.buyProduct(productIdentifier: Store.coins)
        #expect(session.summary == ["coins10 purchased", "pro purchased", "coins10 failed", "coins10 purchased"])
    }

    @Test(arguments: [SKTestFault.Stage.beforeEffect, .afterEffect]) func aLostCallIsReconciledLater(
        _ stage: SKTestFault.Stage
    ) throws {
        let session = try Store.session()
        session.simulate([SKTestFault(.charge, stage, calls: 1...1)])
        try session.buyProduct(productIdentifier: Store.coins)
        #expect(session.summary == ["coins10 purchasing"])
        try session.advanceClock(by: 600)
        #expect(session.summary == ["coins10 purchased"])
    }

    @Test func aSlowChargeUsesTheSessionsClock() throws {
        let session = try Store.session()
        session.simulate([SKTestFault(.charge, .slow(3600))])
        try session.buyProduct(productIdentifier: Store.coins)
        #expect(session.summary == ["coins10 purchasing"])
        try session.advanceClock(by: 1800)
        #expect(session.summary == ["coins10 purchasing"])
        try session.advanceClock(by: 1801)
        #expect(session.summary == ["coins10 purchased"])
    }

    @Test func aSlowChargeIsInterruptedByAKillAndRetried() throws {
        let session = try Store.session()
        session.simulate([SKTestFault(.charge, .slow(3600), calls: 1...1)])
        try session.buyProduct(productIdentifier: Store.coins)
        try session.killServer()
        #expect(session.summary == ["coins10 purchasing"])
        try session.restartServer()
        try session.advanceClock(by: 600)
        #expect(session.summary == ["coins10 purchased"])
    }

    @Test(arguments: [SKTestFault.Stage.declined, .beforeEffect, .afterEffect]) func aFailedRefundRevokesNothing(
        _ stage: SKTestFault.Stage
    ) throws {
        let session = try Store.session()
        let bought = try session.bought(Store.pro)
        session.simulate([SKTestFault(.refund, stage, productIdentifier: Store.pro)])
        try? session.refundTransaction(identifier: bought.identifier)
        #expect(try session.last().cancelDate == nil)
    }

    @Test func aRefusedRestoreFails() async throws {
        let session = try Store.session()
        session.simulate([SKTestFault(.restore, .declined, calls: 1...1)])
        await #expect(throws: PaymentError.self) { try await session.queue.restoreCompletedTransactions() }
        #expect(try await session.queue.restoreCompletedTransactions() == 0)
    }

    @Test func resettingRemovesFaults() throws {
        let session = try Store.session()
        session.simulate([SKTestFault(.charge, .declined)])
        session.resetToDefaultState()
        try session.buyProduct(productIdentifier: Store.coins)
        #expect(session.summary == ["coins10 purchased"])
    }

    @Test func theSameSeedFailsTheSameCalls() throws {
        let outcomes = try ([7, 7, 8] as [UInt64]).map { seed in
            let session = try Store.session()
            session.simulate([SKTestFault(.charge, .declined, probability: 0.5)], seed: seed)
            for _ in 0..<32 {
                try? session.buyProduct(productIdentifier: Store.coins)
            }
            return session.allTransactions().map(\.state)
        }
        #expect(outcomes[0] == outcomes[1])
        #expect(outcomes[0] != outcomes[2])
        #expect(Set(outcomes[0]) == [.purchased, .failed])
    }

    @Test func invalidTimesDoNotTrap() throws {
        let session = try Store.session()
        for seconds in [-1, .nan, 0] as [TimeInterval] {
            session.simulate([SKTestFault(.charge, .slow(seconds))])
            try session.buyProduct(productIdentifier: Store.coins)
        }
        session.simulate([SKTestFault(.charge, .slow(.infinity))])
        try session.buyProduct(productIdentifier: Store.coins)
        #expect(session.summary == Array(repeating: "coins10 purchased", count: 3) + ["coins10 purchasing"])
    }
}

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
