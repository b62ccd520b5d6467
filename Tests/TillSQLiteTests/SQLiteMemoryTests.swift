import FoundationEssentials
import GRDB
import Testing
import TillEngine
import TillModel

@testable import TillSQL
@testable import TillSQLite

@Suite("The SQLite ledger in memory")
struct SQLiteMemoryTests {
    @Test
    func ledgersInMemoryShareNothing() async throws {
        let first = try SQLiteLedger.inMemory()
        let second = try SQLiteLedger.inMemory()
        #expect(first.id != second.id)
        #expect(first.numbering.transactions != second.numbering.transactions)
        #expect(first.numbering.applications != second.numbering.applications)
        _ = try await first.makeQueue()
        #expect(try await second.read { try $0.queue(someQueue) } == nil)
        #expect(try await first.read { try $0.queue(someQueue) } != nil)
    }

    /// The next schema may also change what a new ledger has to replace in its copy of the empty one.
    @Test
    func aLedgerInMemoryHasTheRowsOfANewFile() async throws {
        try await withTemporaryDirectory { directory in
            let file = try SQLiteLedger(path: directory + "/ledger", logger: .silent)
            let memory = try SQLiteLedger.inMemory()
            let expected = try await Self.counts(file)
            #expect(try await Self.counts(memory) == expected)
            try await file.close()
        }
    }

    @Test
    func aLedgerInMemoryIsClosedLikeAFile() async throws {
        let ledger = try SQLiteLedger.inMemory()
        try await ledger.close()
        try await ledger.close()
        let error = await #expect(throws: TillError.self) { try await ledger.makeQueue() }
        #expect(error?.code == .failedPrecondition)
    }

    @Test
    func aRemovedSubscriptionLeavesNothing() async throws {
        let ledger = try SQLiteLedger.inMemory()
        let queue = try await ledger.makeQueue()
        let kept = try await ledger.insert(.sample(queue, revision: 1, isEntitlement: true))
        let original = try await ledger.insert(.sample(queue, revision: 2))
        let subscription = try await ledger.insert(SubscriptionRecord.sample(original))
        let period = try await ledger.insert(.period(of: subscription, revision: 3))
        _ = try await ledger.insert([.sample(queue, period.key, subscription: subscription.key)])
        _ = try await ledger.insert([.sample(queue, nil, subscription: subscription.key)])
        _ = try await ledger.insert([.sample(period)])
        let refund = RefundRecord.sample(period)
        try await ledger.commit { try $0.insert(refund) }

        let copy = try ledger.copy(removing: [original.key])
        try await copy.read { reader throws in
            let rest = try reader.transactions(matching: TransactionFilter(), afterKey: 0, limit: 9)
            #expect(rest.map(\.key) == [kept.key])
            #expect(try reader.subscriptions(in: queue, afterKey: 0, limit: 9).isEmpty)
            #expect(try reader.charges(afterKey: 0, limit: 9).isEmpty)
            #expect(try reader.downloadIDs().isEmpty)
            #expect(try reader.refund(refund.id) == nil)
        }
        #expect(try await Self.flaws(copy).isEmpty)
    }

    @Test(arguments: [false, true])
    func aSubscriptionWithoutItsLastPeriodHasTheOneBefore(hasOther: Bool) async throws {
        let ledger = try SQLiteLedger.inMemory()
        let queue = try await ledger.makeQueue()
        let original = try await ledger.insert(.sample(queue, revision: 1))
        var subscription = try await ledger.insert(SubscriptionRecord.sample(original))
        let other = hasOther ? try await ledger.insert(.period(of: subscription, revision: 2)) : nil
        let last = try await ledger.insert(.period(of: subscription, revision: 3))
        subscription.latestKey = last.key
        let renewed = subscription
        try await ledger.commit { try $0.update(renewed) }

        let copy = try ledger.copy(removing: [last.key])
        let latest = try await copy.read { try $0.subscription(key: renewed.key)?.latestKey }
        #expect(latest == other?.key ?? original.key)
        #expect(try await Self.flaws(copy).isEmpty)
    }

    /// The tables, each with the number of its rows.
    private static func counts(_ ledger: SQLiteLedger) async throws -> [String] {
        try await ledger.connections.writer.read { database in
            let tables = try String.fetchAll(database, sql: "SELECT name FROM sqlite_schema WHERE type = 'table'")
            return try tables.sorted().map { table in
                "\(table) \(try Int.fetchOne(database, sql: "SELECT count(*) FROM \(table)") ?? 0)"
            }
        }
    }

    /// What SQLite and the ledger's own check find wrong.
    private static func flaws(_ ledger: SQLiteLedger) async throws -> [String] {
        try await ledger.connections.writer.read { database in
            let references = try Row.fetchAll(database, sql: "PRAGMA foreign_key_check").map(\.description)
            let rows = SQLTransaction(database: database)
            return try references + rows.disagreements(limit: 9)
        }
    }
}

extension TransactionRecord {
    fileprivate static func period(of subscription: SubscriptionRecord, revision: UInt64) -> TransactionRecord {
        let (start, end) = (time(Int(revision)), time(Int(revision) + 1))
        let term = TermRecord(subscription: subscription.key, groupID: subscription.groupID, start: start, end: end)
        return sample(subscription.queue, revision: revision, state: .purchased, term: term)
    }
}
