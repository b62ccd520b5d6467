import FoundationEssentials
import Testing
@testable import TillClient
import TillModel

@Suite("Acknowledgement of delivered changes")
struct ChangeReaderTests {
    private static let plain = EventBatch(
        revision: 7,
        events: [.storefrontChanged(Storefront(countryCode: "DEU", identifier: "143443"))]
    )
    private static let durable = EventBatch(
        revision: 8,
        events: [.storePaymentRequested(Payment(productID: "coins"))]
    )

    @Test(arguments: [(1, 1), (2, 1), (3, 1), (4, 2), (16, 8)])
    func halfAWindowIsAcknowledgedTogether(window: Int, batches: Int) {
        var reader = ChangeReader(cursor: 1, window: window)
        #expect(reader.acknowledgementDue == nil)
        for _ in 1..<batches {
            reader.read(Self.plain)
            #expect(reader.acknowledgementDue == nil)
        }
        reader.read(Self.plain)
        #expect(reader.acknowledgementDue == 7)
        reader.acknowledged()
        #expect(reader.acknowledgementDue == nil)
    }

    @Test func durableEventsAreAcknowledgedAtOnce() {
        var reader = ChangeReader(cursor: 1, window: 16)
        reader.read(Self.plain)
        reader.read(Self.durable)
        #expect(reader.acknowledgementDue == 8)
    }

    @Test func nothingOfALostStreamIsAcknowledged() {
        var reader = ChangeReader(cursor: 1, window: 16)
        reader.read(Self.durable)
        reader.lose("The connection was lost.")
        reader.attach(toLedger: UUID())
        #expect(reader.acknowledgementDue == nil)
    }
}

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

    @Test func anotherLedgerHasItsOwn() {
        let finished = FinishedTransactions()
        let id = UUID.version7()
        let ledgers = [UUID.version7(), UUID.version7()]
        finished.insert(id, removedAt: 5)
        for _ in 0..<2 {
            finished.attach(toLedger: ledgers[0])
            #expect(finished.contains(id, after: 4))
        }
        finished.attach(toLedger: ledgers[1])
        #expect(!finished.contains(id, after: 4), "it may be unfinished in a restored ledger")
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
