import FoundationEssentials
import GRDB
import Testing
import TillEngine
import TillModel

@testable import TillSQL
@testable import TillSQLite

@Suite("Headers of receipts in the SQLite ledger")
struct SQLiteReceiptHeaderTests {
    /// A ledger with a purchase for each header, and its path.
    private func withLedger(
        _ headers: [String],
        _ body: (SQLiteLedger, String, [TransactionRecord]) async throws -> Void
    ) async throws {
        try await withTemporaryDirectory { directory in
            let path = directory + "/ledger"
            let ledger = try SQLiteLedger(path: path, logger: .silent)
            let queue = try await ledger.makeQueue()
            let records = headers.enumerated().map { number, header in
                var record = TransactionRecord.sample(queue, revision: UInt64(number), state: .purchased)
                record.receipt = .sample(header, number)
                return record
            }
            try await body(ledger, path, ledger.insert(records))
            try await ledger.close()
        }
    }

    /// How many statements run for `body` in a transaction that knows no header yet.
    private func statementCount(_ ledger: SQLiteLedger, _ body: @Sendable (SQLTransaction) throws -> Void)
        async throws -> Int
    {
        let count = Box<Int>()
        count.value = 0
        try await ledger.connections.writer.write { database in
            database.trace { _ in count.value = (count.value ?? 0) + 1 }
            try body(SQLTransaction(database: database))
            database.trace(nil)
        }
        return try count.get()
    }

    @Test
    func headerIsStoredOnce() async throws {
        try await withLedger(["a", "b", "a", "a", "b"]) { ledger, path, records in
            var later = records[0]
            later.receipt = .sample("b", 9)
            let changed = later
            try await ledger.commit { try $0.update(changed) }
            let headers = try await ledger.connections.writer.read { database in
                try String.fetchAll(database, sql: "SELECT header FROM receipt_headers ORDER BY key")
            }
            #expect(headers == ["a", "b"])
            // A process that does not know them yet stores them no second time.
            try await ledger.close()
            let next = try SQLiteLedger(path: path, logger: .silent)
            try await next.commit { try $0.update(changed) }
            let count = try await next.connections.writer.read { database in
                try Int.fetchOne(database, sql: "SELECT count(*) FROM receipt_headers")
            }
            #expect(count == 2)
            #expect(try await next.read { try $0.transaction(changed.id) } == changed)
            try await next.close()
        }
    }

    @Test
    func headerIsReadOnceForAllThatShareIt() async throws {
        try await withLedger(Array(repeating: "a", count: 20) + ["b"]) { ledger, _, records in
            let count = try await statementCount(ledger) { transaction in
                let found = try transaction.transactions(matching: TransactionFilter(), afterKey: 0, limit: 99)
                #expect(found == records)
            }
            #expect(count == 3, "the transactions, and two headers")
        }
    }

    @Test
    func headerThatWasReadIsNotReadAgain() async throws {
        try await withLedger(["a"]) { ledger, path, records in
            try await ledger.close()
            let next = try SQLiteLedger(path: path, logger: .silent)
            #expect(try await next.read { try $0.transaction(records[0].id) } == records[0])
            try edit(path, "UPDATE receipt_headers SET header = 'not read'")
            #expect(try await next.read { try $0.transaction(records[0].id) } == records[0])
            #expect(try await next.change { try $0.transaction(records[0].id) } == records[0])
            try await next.close()
        }
    }

    @Test
    func transactionsWithoutReceiptAndDownloadsCostOneQuery() async throws {
        try await withLedger([]) { ledger, _, _ in
            let queue = try #require(await ledger.read { try $0.queue(someQueue)?.key })
            let records = try await ledger.insert((1...20).map { .sample(queue, revision: $0) })
            let count = try await statementCount(ledger) { transaction throws in
                #expect(try transaction.transactions(in: queue, changedAfter: 0, limit: 99) == records)
            }
            #expect(count == 1)
        }
    }

    @Test
    func headersAboveTheLimitAreReadAgain() async throws {
        let headers = (0...ReceiptHeaders.countMaximum).map { "header \($0)" }
        try await withLedger(headers + headers.prefix(1)) { ledger, _, records async throws in
            for record in records {
                #expect(try await ledger.read { try $0.transaction(record.id) } == record)
            }
        }
        var known = ReceiptHeaders()
        for (key, header) in headers.enumerated() {
            known.insert(header, key: Int64(key))
            #expect(known.count <= ReceiptHeaders.countMaximum)
            #expect(known[Int64(key)] == header)
            #expect(known.key(of: header) == Int64(key))
        }
        #expect(known.key(of: headers[0]) == nil)
    }
}
