import Foundation
@testable import StoreKit
import Testing
import TillModel

struct RestoreRegistryTests {
    private func order(tellings: Int = 0) -> RestoreOrder {
        RestoreOrder(id: .version7(), deadline: .now, tellings: tellings)
    }

    @Test func ordersOfOneRunHaveOneEndWithAllThatTheLaterOneWasNotTold() {
        var registry = RestoreRegistry()
        let (first, second) = (order(tellings: 1), order(tellings: 5))
        registry.begin(first)
        let result1 = registry.join(first.id, to: first.id, isHeard: true)
        #expect(result1 == nil)
        registry.begin(second)
        let result2 = registry.join(second.id, to: first.id, isHeard: true)
        #expect(result2 == nil)
        let ended = registry.end(first.id, nil, isHeard: true)
        #expect(ended?.id == first.id && ended?.tellings == 5)
        #expect(registry.open.isEmpty)
    }

    @Test func anEndMayComeBeforeTheAnswerThatTheRestoreRuns() {
        var registry = RestoreRegistry()
        let own = order()
        registry.begin(own)
        let result3 = registry.end(own.id, nil, isHeard: true)
        #expect(result3?.id == own.id)
        let result4 = registry.join(own.id, to: own.id, isHeard: true)
        #expect(result4 == nil)
    }

    @Test func theRunOfAnotherProcessEndsTheOrderThatJoinedIt() {
        var registry = RestoreRegistry()
        let (early, late, run) = (order(), order(), UUID.version7())
        registry.begin(early)
        let result5 = registry.join(early.id, to: run, isHeard: true)
        #expect(result5 == nil)
        #expect(registry.open[early.id]?.isBegun == true)
        let result6 = registry.end(run, nil, isHeard: true)
        #expect(result6?.id == early.id)
        registry.begin(late)
        let result7 = registry.join(late.id, to: run, isHeard: true)
        #expect(result7?.order.id == late.id, "The run has ended already.")
        #expect(registry.open.isEmpty)
    }

    @Test func anEndThatNobodyHearsLeavesTheRestoreOpen() {
        var registry = RestoreRegistry()
        let own = order()
        registry.begin(own)
        let result8 = registry.end(own.id, nil, isHeard: false)
        #expect(result8 == nil)
        #expect(registry.open[own.id] != nil)
    }
}
