import FoundationEssentials
import NIOConcurrencyHelpers
import Testing
@testable import TillEngine
import TillModel
import TillTesting

@Suite(.timeLimit(.minutes(10))) struct ChangePagesTests {
    private let key = ChangePages.Key(queue: 1, after: 0, limit: 64)

    @Test func aPageForSeveralCallersIsReadOnce() async throws {
        let pages = ChangePages(numbering: .plain)
        let reads = NIOLockedValueBox(0)
        let gate = Gate()
        try await withThrowingTaskGroup(of: UInt64.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    let page = try await pages.page(key) {
                        reads.withLockedValue { $0 += 1 }
                        await gate.pass()
                        return Self.page(1...3)
                    }
                    return page.newest
                }
            }
            while reads.withLockedValue({ $0 }) == 0 {
                try await Task.yieldUnlessCancelled()
            }
            gate.open()
            for try await newest in group {
                #expect(newest == 3)
            }
        }
        #expect(reads.withLockedValue { $0 } == 1)
    }

    @Test func anEmptyPageIsNotKept() async throws {
        let pages = ChangePages(numbering: .plain)
        let first = try await pages.page(key) { ChangePage([], limit: 64, newest: 0) }
        let second = try await pages.page(key) { Self.page(1...1) }
        #expect(first.events.isEmpty)
        #expect(second.events.count == 1)
    }

    @Test func callersThatWaitedForAnEmptyPageReadAgain() async throws {
        let pages = ChangePages(numbering: .plain)
        let gate = Gate()
        async let first = pages.page(key) {
            await gate.pass()
            return ChangePage([], limit: 64, newest: 0)
        }
        await gate.arrival()
        async let second = pages.page(key) { Self.page(1...1) }
        for _ in 0..<100 {
            try await Task.yieldUnlessCancelled()
        }
        gate.open()
        #expect(try await first.events.isEmpty)
        #expect(try await second.events.count == 1, "changes committed in between would wait for the next change")
    }

    @Test func aReadThatFailedIsMadeByTheNext() async throws {
        let pages = ChangePages(numbering: .plain)
        let error = await expect(.unavailable) {
            _ = try await pages.page(key) { () throws(TillError) in throw TillError(.unavailable, "No.") }
        }
        #expect(error?.message == "No.")
        let page = try await pages.page(key) { Self.page(1...2) }
        #expect(page.newest == 2)
    }

    @Test func keptPagesAreLimited() async throws {
        let pages = ChangePages(numbering: .plain)
        let reads = NIOLockedValueBox(0)
        for pass in 1...2 {
            for queue in 0...Int64(ChangePages.countMaximum) {
                _ = try await pages.page(ChangePages.Key(queue: queue, after: 0, limit: 1)) {
                    reads.withLockedValue { $0 += 1 }
                    return Self.page(1...1)
                }
            }
            #expect(reads.withLockedValue { $0 } == pass * (ChangePages.countMaximum + 1), "the oldest went first")
        }
    }

    @Test func anUpToDateObserverIsNotifiedWithoutARead() async throws {
        let pages = ChangePages(numbering: .plain)
        pages.notify(of: [1: Self.changes(3...5)])
        let notified = try await Self.notified(ChangePages.Key(queue: 1, after: 2, limit: 64), by: pages)
        #expect(notified.revisions == [3, 4, 5])
        #expect(notified.isLast && notified.newest == 5)
        let again = try await Self.notified(ChangePages.Key(queue: 1, after: 2, limit: 64), by: pages)
        #expect(again.encoding === notified.encoding, "all who are notified share the bytes")
    }

    @Test func anObserverALittleBehindGetsSeveralCommitsTogether() async throws {
        let pages = ChangePages(numbering: .plain)
        pages.notify(of: [1: Self.changes(3...5)])
        pages.notify(of: [1: Self.changes(6...6, keys: [4])])
        let all = try await Self.notified(ChangePages.Key(queue: 1, after: 2, limit: 64), by: pages)
        #expect(all.revisions == [3, 5, 6], "of a transaction the last change")
        #expect(all.newest == 6)
        let some = try await Self.notified(ChangePages.Key(queue: 1, after: 2, limit: 2), by: pages)
        #expect(some.revisions == [3, 5] && !some.isLast)
        let rest = try await Self.notified(ChangePages.Key(queue: 1, after: 5, limit: 2), by: pages)
        #expect(rest.revisions == [6] && rest.isLast)
    }

    /// Observers that are further behind, have everything, or follow another queue; and all of them after a commit that
    /// is not the next, or not kept whole.
    @Test(arguments: [
        (ChangePages.Key(queue: 1, after: 1, limit: 64), nil), (ChangePages.Key(queue: 1, after: 5, limit: 64), nil),
        (ChangePages.Key(queue: 2, after: 2, limit: 64), nil),
        (ChangePages.Key(queue: 1, after: 2, limit: 64), changes(7...7)),
        (ChangePages.Key(queue: 1, after: 2, limit: 64), changes(6...6) { $0.keepNoMore() }),
        (ChangePages.Key(queue: 1, after: 2, limit: 64), changes(6...UInt64(6 + QueueChanges.keptMaximum))),
    ])
    func othersRead(_ key: ChangePages.Key, _ later: QueueChanges?) async throws {
        let pages = ChangePages(numbering: .plain)
        pages.notify(of: [1: Self.changes(3...5)])
        if let later {
            pages.notify(of: [1: later])
        }
        #expect(try await pages.page(key) { Self.page(1...1) }.newest == 1)
    }

    @Test func aPageThatIsNotifiedWhileItIsReadIsKeptOnce() async throws {
        let pages = ChangePages(numbering: .plain)
        let gate = Gate()
        let key = ChangePages.Key(queue: 1, after: 2, limit: 64)
        async let read = pages.page(key) {
            await gate.pass()
            return Self.page(3...5)
        }
        await gate.arrival()
        pages.notify(of: [1: Self.changes(3...5)])
        _ = try await Self.notified(key, by: pages)
        gate.open()
        _ = try await read
        for queue in 2...Int64(ChangePages.countMaximum) {
            _ = try await pages.page(ChangePages.Key(queue: queue, after: 0, limit: 1)) { Self.page(1...1) }
        }
        pages.notify(of: [1: Self.changes(6...6)])
        // As many are kept as may be; counted twice, it would have gone.
        _ = try await Self.notified(key, by: pages)
    }

    @Test func observersGetATransactionsLastChange() {
        let record = TransactionRecord.sample(key: 7, revision: 3)
        var changes = QueueChanges(first: 3)
        changes.keep(record, isNew: false)
        changes.advance(to: 4)
        changes.keep(EventRecord(queue: 1, revision: 4, kind: .restoreFinished(id: record.id, count: 1)))
        changes.advance(to: 5)
        var later = record
        later.revision = 5
        changes.keep(later, isNew: false)
        #expect(changes.kept.map(\.revision) == [4, 5])
        later.finishedAt = record.createdAt
        changes.updateSilently(later)
        #expect(
            changes.kept.last?.entry(identifiedBy: .plain).event == .removed(later.transaction(identifiedBy: .plain))
        )
        #expect(changes.after == 2 && changes.newest == 5)
    }

    @Test func notifiedChangesAreLimited() async throws {
        let pages = ChangePages(numbering: .plain)
        var record = TransactionRecord.sample(key: 1, revision: 1)
        record.payment.requestData = Array(repeating: 0, count: ChangePages.weightMaximum / 2)
        var changes = QueueChanges(first: 1)
        changes.keep(record, isNew: false)
        for queue in Int64(1)...3 {
            pages.notify(of: [queue: changes])
        }
        let first = ChangePages.Key(queue: 1, after: 0, limit: 64)
        #expect(try await pages.page(first) { Self.page(1...2) }.newest == 2, "it went when there was too much")
    }

    @Test func bytesAreMadeByTheFirstSender() throws {
        let shared = EncodedOnce()
        let batch = OutgoingBatch(batch: EventBatch(revision: 1, events: []), encoding: shared)
        #expect(batch.bytes { _ in [1] } == [1])
        #expect(batch.bytes { _ in [2] } == [1])
        #expect(OutgoingBatch(batch: batch.batch).bytes { _ in [2] } == [2])
    }

    /// The page, which nobody may read.
    private static func notified(_ key: ChangePages.Key, by pages: ChangePages) async throws(TillError) -> ChangePage {
        try await pages.page(key) { () throws(TillError) in throw TillError(.internal, "The ledger was read.") }
    }

    private static func changes(
        _ revisions: ClosedRange<UInt64>,
        keys: [Int64]? = nil,
        _ change: (inout QueueChanges) -> Void = { _ in }
    ) -> QueueChanges {
        var changes = QueueChanges.ofTransactions(keys ?? revisions.map { Int64($0) }, first: revisions.lowerBound)
        change(&changes)
        return changes
    }

    private static func page(_ revisions: ClosedRange<UInt64>) -> ChangePage {
        ChangePage(
            revisions.map { ObserverCursor.Entry(revision: $0, event: .initialDeliveryEnded) },
            limit: 64,
            newest: revisions.upperBound
        )
    }
}

extension ChangePage {
    /// Those of its transactions.
    fileprivate var revisions: [UInt64] {
        events.compactMap { event in
            if case .updated(let transaction) = event { transaction.revision } else { nil }
        }
    }
}
