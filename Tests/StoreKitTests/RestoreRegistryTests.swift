import Foundation
@testable import StoreKit
import Testing
import TillModel

struct RestoreRegistryTests {
    private func pending(notificationCount: Int = 0) -> PendingRestore {
        PendingRestore(id: .version7(), deadline: .now, notificationCount: notificationCount)
    }

    @Test func restoresOfOneRunHaveOneEndWithAllUnreportedTransactions() {
        var registry = RestoreRegistry()
        let (first, second) = (pending(notificationCount: 1), pending(notificationCount: 5))
        registry.begin(first)
        let result1 = registry.join(first.id, to: first.id, hasObservers: true)
        #expect(result1 == nil)
        registry.begin(second)
        let result2 = registry.join(second.id, to: first.id, hasObservers: true)
        #expect(result2 == nil)
        let ended = registry.end(first.id, nil, hasObservers: true)
        #expect(ended?.id == first.id && ended?.notificationCount == 5)
        #expect(registry.open.isEmpty)
    }

    @Test func anEndMayArriveBeforeTheAnswer() {
        var registry = RestoreRegistry()
        let own = pending()
        registry.begin(own)
        let result3 = registry.end(own.id, nil, hasObservers: true)
        #expect(result3?.id == own.id)
        let result4 = registry.join(own.id, to: own.id, hasObservers: true)
        #expect(result4 == nil)
    }

    @Test func theRunOfAnotherProcessEndsTheRestoreThatJoinedIt() {
        var registry = RestoreRegistry()
        let (early, late, run) = (pending(), pending(), UUID.version7())
        registry.begin(early)
        let result5 = registry.join(early.id, to: run, hasObservers: true)
        #expect(result5 == nil)
        #expect(registry.open[early.id]?.isBegun == true)
        let result6 = registry.end(run, nil, hasObservers: true)
        #expect(result6?.id == early.id)
        registry.begin(late)
        let result7 = registry.join(late.id, to: run, hasObservers: true)
        #expect(result7?.pending.id == late.id, "The run has ended already.")
        #expect(registry.open.isEmpty)
    }

    @Test func anEndWithoutObserversLeavesTheRestoreOpen() {
        var registry = RestoreRegistry()
        let own = pending()
        registry.begin(own)
        let result8 = registry.end(own.id, nil, hasObservers: false)
        #expect(result8 == nil)
        #expect(registry.open[own.id] != nil)
    }
}
