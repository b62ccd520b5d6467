import FoundationEssentials
import Testing
import TillModel
@testable import TillClient

@Suite struct FinishedTransactionsTests {
    @Test(arguments: [
        (delivered: UInt64(4), isFinished: true), (delivered: 5, isFinished: false), (delivered: 6, isFinished: false),
    ])
    func onlyAnOlderStateIsFinished(delivered: UInt64, isFinished: Bool) {
        let finished = FinishedTransactions()
        let id = UUID.version7()
        finished.insert(id, removedAt: 5)
        #expect(finished.contains(id, after: delivered) == isFinished)
        #expect(!finished.contains(.version7(), after: 0))
    }

    @Test func theOldestAreForgottenAtTheLimit() {
        let finished = FinishedTransactions()
        let ids = (0...FinishedTransactions.maximum).map { _ in UUID.version7() }
        ids.forEach { finished.insert($0, removedAt: 1) }
        #expect(!finished.contains(ids[0], after: 0))
        #expect(ids.dropFirst().allSatisfy { finished.contains($0, after: 0) })
    }

    @Test func finishingAgainTakesNoMoreRoom() {
        let finished = FinishedTransactions()
        let first = UUID.version7()
        finished.insert(first, removedAt: 1)
        let again = UUID.version7()
        (0...FinishedTransactions.maximum).forEach { _ in finished.insert(again, removedAt: 2) }
        #expect(finished.contains(first, after: 0))
    }
}
