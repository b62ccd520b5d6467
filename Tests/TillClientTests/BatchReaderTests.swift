import FoundationEssentials
import Testing
import TillModel
@testable import TillClient

@Suite struct BatchReaderTests {
    private static let ledger = UUID.version7()

    @Test func neighboursOfAKindBecomeOneChange() {
        var reader = BatchReader(cursor: 0)
        let (a, b, c, d) = (transaction(1), transaction(2), transaction(3), transaction(4))
        let changes = reader.read([.updated(a), .updated(b), .removed(c), .updated(d)], revision: 4)
        #expect(changes == [.updated([a, b]), .removed([c]), .updated([d])])
        #expect(reader.cursor == 4)
    }

    @Test func anInitialDeliveryIsOpenUntilItsMark() {
        var reader = BatchReader(cursor: nil)
        #expect(reader.isInitialDeliveryOpen)
        let (a, b) = (transaction(3), transaction(5))
        #expect(reader.read([.initialDeliveryStarted(isReset: false), .updated(a)], revision: 3) == [.updated([a])])
        #expect(reader.cursor == 3)
        #expect(reader.isInitialDeliveryOpen)
        let rest = reader.read([.updated(b), .initialDeliveryEnded], revision: 9)
        #expect(rest == [.updated([b]), .initialDeliveryEnded])
        #expect(reader.cursor == 9)
        #expect(!reader.isInitialDeliveryOpen)
    }

    @Test(arguments: [(revision: UInt64(3), isDelivered: false), (4, false), (5, true)])
    func deliveredTransactionsAreNotDeliveredAgain(revision: UInt64, isDelivered: Bool) {
        var reader = BatchReader(cursor: nil)
        reader.attach(toLedger: Self.ledger)
        _ = reader.read([.initialDeliveryStarted(isReset: false), .updated(transaction(4))], revision: 4)
        // The daemon did not keep the cursor any more, so the delivery begins again.
        reader.attach(toLedger: Self.ledger)
        let again = transaction(revision)
        let changes = reader.read([.initialDeliveryStarted(isReset: true), .updated(again)], revision: revision)
        #expect(changes == (isDelivered ? [.updated([again])] : []))
    }

    @Test func revisionsOfAnotherLedgerMeanNothing() {
        var reader = BatchReader(cursor: nil)
        reader.attach(toLedger: Self.ledger)
        _ = reader.read([.initialDeliveryStarted(isReset: false), .initialDeliveryEnded], revision: 100)
        reader.attach(toLedger: .version7())
        #expect(reader.cursor == nil)
        let first = transaction(1)
        #expect(reader.read([.updated(first)], revision: 1) == [.updated([first])])
    }

    @Test func aFinishedTransactionIsLeftOutOfUpdatesAlone() {
        let (a, b) = (transaction(1), transaction(2))
        #expect(Change.updated([a, b]).excluding { $0 == a } == .updated([b]))
        #expect(Change.updated([a]).excluding { $0 == a } == nil)
        #expect(Change.removed([a]).excluding { $0 == a } == .removed([a]))
    }

    @Test func revocationsFollowTheUpdatesOfTheirTransactions() {
        var reader = BatchReader(cursor: 0)
        let (bought, first, second) = (transaction(1), finished(2), finished(3))
        let changes = reader.read([.updated(bought), .revoked(first), .revoked(second)], revision: 3)
        #expect(changes == [.updated([bought]), .removed([first, second]), .revoked([first, second])])
        #expect(Change.revoked([first]).excluding { _ in true } == .revoked([first]))
    }

    @Test func aRevocationThatWasDeliveredIsNotDeliveredAgain() {
        var reader = BatchReader(cursor: 4)
        let (old, new) = (finished(4), finished(5))
        let events: [QueueEvent] = [.initialDeliveryStarted(isReset: true), .revoked(old), .revoked(new)]
        #expect(reader.read(events, revision: 5) == [.removed([new]), .revoked([new])])
    }

    @Test func anUnfinishedRevokedTransactionStaysInTheQueue() {
        var reader = BatchReader(cursor: nil)
        let (unfinished, finished) = (transaction(4), finished(5))
        let events: [QueueEvent] = [
            .initialDeliveryStarted(isReset: false), .revoked(unfinished), .revoked(finished), .initialDeliveryEnded,
        ]
        let changes = reader.read(events, revision: 5)
        #expect(
            changes == [
                .updated([unfinished]), .removed([finished]), .revoked([unfinished, finished]), .initialDeliveryEnded,
            ]
        )
    }

    @Test func storeEventsKeepTheirPlace() {
        var reader = BatchReader(cursor: 0)
        let (payment, storefront) = (Payment(productID: "pro"), Storefront(countryCode: "USA", identifier: "143441"))
        let changes = reader.read([.storePaymentRequested(payment), .storefrontChanged(storefront)], revision: 2)
        #expect(changes == [.storePaymentRequested(payment), .storefrontChanged(storefront)])
    }

    @Test func theEndsOfRestoresKeepTheirPlace() {
        var reader = BatchReader(cursor: 0)
        let (id, error, restored) = (UUID.version7(), PaymentError(.unknown, "Refused."), transaction(1))
        let changes = reader.read(
            [.updated(restored), .restoreFinished(id: id, count: 1), .restoreFailed(id: id, error: error)],
            revision: 3
        )
        #expect(
            changes == [.updated([restored]), .restoreFinished(id: id, count: 1), .restoreFailed(id: id, error: error)]
        )
    }

    @Test func aResetOpensTheInitialDeliveryAgain() {
        var reader = BatchReader(cursor: 7)
        #expect(!reader.isInitialDeliveryOpen)
        #expect(reader.read([.initialDeliveryStarted(isReset: true)], revision: 8).isEmpty)
        #expect(reader.isInitialDeliveryOpen)
    }

    private func finished(_ revision: UInt64) -> Transaction {
        var transaction = transaction(revision)
        transaction.isFinished = true
        return transaction
    }

    private func transaction(_ revision: UInt64) -> Transaction {
        Transaction(id: .version7(), revision: revision, state: .purchasing, payment: Payment(productID: "coins"))
    }
}

extension BatchReader {
    fileprivate mutating func read(_ events: [QueueEvent], revision: UInt64) -> [Change] {
        read(EventBatch(revision: revision, events: events))
    }
}
