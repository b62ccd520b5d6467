import FoundationEssentials
import GRDB
import Testing
import TillEngine
import TillModel

@testable import TillSQLite

@Suite("A ledger of version 5 that is opened")
struct SQLiteVersion5MigrationTests {
    private typealias Old = SQLiteMigrationTests

    /// A trial (10), its renewal (11), the restored renewal (12), and a downgrade during it (13); a purchase (14), the same
    /// again (15) and its restored copy (16); a request that waits for approval (17).
    private static let rows = """
        INSERT INTO queues (key, application, account, revision, floor)
        VALUES (3, 'org.example.notes', 'uid:1000', 60, 5);
        INSERT INTO transactions (key, queue, id, payment_id, product_id, quantity, simulates_ask_to_buy, state, revision,
            created_at, finished_at, is_entitlement, product_type, original_key, blocker)
        VALUES (10, 3, \(Old.id(10)), \(Old.id(10)), 'gold', 1, 0, 1, 10, 1000, 1001, 1, 3, NULL, NULL),
            (11, 3, \(Old.id(11)), \(Old.id(11)), 'gold', 1, 0, 1, 11, 2000, 2001, 1, 3, 10, NULL),
            (12, 3, \(Old.id(12)), \(Old.id(11)), 'gold', 1, 0, 3, 12, 2100, NULL, 0, 3, 10, NULL),
            (13, 3, \(Old.id(13)), \(Old.id(13)), 'silver', 1, 0, 1, 13, 2200, NULL, 0, 3, 10, NULL),
            (14, 3, \(Old.id(14)), \(Old.id(14)), 'pro', 1, 0, 1, 14, 2300, 2301, 1, 1, NULL, NULL),
            (15, 3, \(Old.id(15)), \(Old.id(15)), 'pro', 1, 0, 1, 15, 2400, NULL, 0, 1, 14, NULL),
            (16, 3, \(Old.id(16)), \(Old.id(14)), 'pro', 1, 0, 3, 16, 2500, NULL, 0, 1, 14, NULL),
            (17, 3, \(Old.id(17)), \(Old.id(17)), 'coins', 1, 1, 4, 17, 2600, NULL, 0, 0, NULL, 3);
        INSERT INTO subscriptions (key, queue, group_id, original_key, latest_key, product_id, renewal_product_id, state,
            period_start, period_end, will_renew, renewal_amount, currency, has_used_introductory_offer, price_consent,
            attempts, due_at)
        VALUES (7, 3, 'premium', 10, 11, 'gold', 'silver', 1, 2000, 3000, 1, 499, 'EUR', 1, 0, 0, 3000);
        UPDATE transactions SET subscription_key = 7, term_group = 'premium', term_is_renewal = key > 10,
            term_is_upgraded = 0, term_start = CASE key WHEN 10 THEN 1000 ELSE 2000 END,
            term_end = CASE key WHEN 10 THEN 2000 ELSE 3000 END
        WHERE key IN (10, 11, 12);
        INSERT INTO charges (transaction_key, subscription_key, queue, payment_id, application, account, product_id,
            quantity, amount, currency, state, attempts, created_at, due_at)
        VALUES (11, 7, 3, \(Old.id(11)), 'org.example.notes', 'uid:1000', 'gold', 1, 499, 'EUR', 2, 1, 2000, 2000),
            (14, NULL, 3, \(Old.id(14)), 'org.example.notes', 'uid:1000', 'pro', 1, 999, 'USD', 2, 1, 2300, 2300),
            (17, NULL, 3, \(Old.id(17)), 'org.example.notes', 'uid:1000', 'coins', 1, 99, 'USD', 6, 0, 2600, 2600);
        INSERT INTO refunds (key, id, transaction_key, queue, quantity, amount, currency, reason, state, attempts,
            created_at, due_at)
        VALUES (1, \(Old.id(31)), 14, 3, 1, 0, 'USD', 0, 1, 1, 1, 1), (2, \(Old.id(32)), 10, 3, 1, 0, '\(Price.noCurrency)', 0, 1, 1, 1, 1),
            (3, \(Old.id(33)), 11, 3, 0, 100, 'EUR', 0, 1, 1, 1, 1);
        """

    /// Its pages have no checksums, which is not damage.
    @Test func theCheckSaysThatItHasToBeOpenedFirst() async throws {
        try await withTemporaryDirectory { directory in
            let path = directory + "/ledger"
            let queue = try DatabaseQueue(path: path)
            try Schema.migrator.migrate(queue, upTo: "v5")
            try queue.close()
            let error = #expect(throws: TillError.self) { try LedgerFileCheck(path: path) }
            #expect(error?.code == .failedPrecondition && error?.message.contains("older Till") == true)
        }
    }

    private func withMigrated(_ body: (SQLiteLedger) async throws -> Void) async throws {
        try await Old.withMigrated(from: "v5", Configuration(), rows: Self.rows, body)
    }

    @Test func everyPurchaseGetsItsPriceAndEveryCopyItsPurchase() async throws {
        try await withMigrated { ledger in
            let found = try await ledger.read {
                try $0.transactions(matching: TransactionFilter(), afterKey: 0, limit: 99)
            }
            let free = SaleRecord(amount: 0, currency: "EUR")
            let renewal = SaleRecord(amount: 499, currency: "EUR")
            let pro = SaleRecord(amount: 999, currency: "USD")
            #expect(
                found.map(\.sale) == [
                    free, renewal, renewal, free, pro, SaleRecord(amount: 0, currency: "USD"), pro,
                    SaleRecord(amount: 99, currency: "USD"),
                ]
            )
            #expect(found.map(\.repeats) == [nil, nil, 11, 11, nil, 14, 14, nil])
            #expect(found.allSatisfy { $0.purchasedAt == nil && $0.purchaseDate == $0.createdAt })
        }
    }

    @Test func refundSaysWhetherTheMoneyWasKept() async throws {
        try await withMigrated { ledger in
            let kept = try await ledger.read { reader in
                try (31...33).map { try reader.refund(Old.uuid($0))?.keepsMoney }
            }
            #expect(kept == [true, false, false])
        }
    }
}
