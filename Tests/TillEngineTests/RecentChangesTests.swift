import FoundationEssentials
import TestValues
import Testing
@testable import TillEngine
import TillModel
import TillTesting

@Suite struct RecentChangesTests {
    /// Random commits over few and over many transactions, whose log is kept beside them as the ledger keeps it.
    @Test(arguments: [1, 3, 40, 10_000] as [Int64])
    func itIsTheEndOfTheChangeLog(transactions: Int64) throws {
        var random = SplitMix64(seed: UInt64(transactions))
        var log: [Int64: UInt64] = [:]
        var newest: UInt64 = 4
        var recent: RecentChanges?
        for _ in 0..<200 {
            let keys = (0..<Int.random(in: 1...20, using: &random)).map { _ in
                Int64.random(in: 1...transactions, using: &random)
            }
            let commit = QueueChanges.ofTransactions(keys, first: newest + 1)
            for key in keys {
                newest += 1
                log[key] = newest
            }
            let appended = recent?.append(next: commit)
            #expect(appended != false)
            recent = recent ?? RecentChanges(commit)
            let kept = try #require(recent)
            #expect(kept.newest == newest)
            for after in [kept.floor, (kept.floor + newest) / 2, newest - 1] {
                let limit = Int.random(in: 1...64, using: &random)
                let expected = log.values.filter { $0 > after }.sorted().prefix(limit)
                #expect(kept.changes(after: after, limit: limit)?.map(\.revision) == Array(expected))
            }
            let all = try #require(kept.changes(after: kept.floor, limit: .max))
            #expect(all.count <= RecentChanges.countMaximum)
            #expect(all.reduce(0) { $0 + $1.weight } == kept.weight)
            #expect(kept.floor == 4 || kept.changes(after: kept.floor - 1, limit: 64) == nil)
        }
        let hasDropped = try #require(recent).floor > 4
        #expect(hasDropped == (transactions > RecentChanges.countMaximum))
    }

    @Test func heavyChangesAreDroppedSooner() throws {
        let half = RecentChanges.weightMaximum / 2
        var recent = RecentChanges(.ofTransactions([1], first: 1, bytes: half))
        #expect(recent.floor == 0)
        _ = recent.append(next: .ofTransactions([2], first: 2, bytes: half))
        #expect(recent.floor == 1)
        #expect(recent.weight <= RecentChanges.weightMaximum)
        #expect(recent.changes(after: 1, limit: 64)?.map(\.revision) == [2])
    }
}

extension QueueChanges {
    /// One commit's changes of transactions with these keys, one after another.
    static func ofTransactions(_ keys: [Int64], first: UInt64, bytes: Int = 0) -> QueueChanges {
        var changes = QueueChanges(first: first)
        for (offset, key) in keys.enumerated() {
            let revision = first + UInt64(offset)
            var record = TransactionRecord.sample(key: key, revision: revision)
            record.payment.requestData = Array(repeating: 0, count: bytes)
            changes.advance(to: revision)
            changes.keep(record, isNew: false)
        }
        return changes
    }
}

extension TransactionRecord {
    static func sample(key: Int64, revision: UInt64) -> TransactionRecord {
        let payment = Payment(productID: "coins")
        return TransactionRecord(
            key: key,
            queue: 1,
            id: payment.id,
            payment: payment,
            state: .purchasing,
            revision: revision,
            createdAt: Date(timeIntervalSince1970: 0)
        )
    }
}
