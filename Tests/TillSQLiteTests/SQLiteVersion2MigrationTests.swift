import FoundationEssentials
import GRDB
import Testing
import TillEngine
import TillModel

@testable import TillSQLite

@Suite("A ledger of version 2 that is opened")
struct SQLiteVersion2MigrationTests {
    private typealias Old = SQLiteMigrationTests

    /// Rows of every table as version 2 wrote them.
    private static let rows = """
        INSERT INTO queues (key, application, account, revision, floor)
        VALUES (3, 'org.example.notes', 'uid:1000', 60, 5);

        INSERT INTO transactions (key, queue, id, payment_id, product_id, quantity, simulates_ask_to_buy, state, revision,
            created_at, finished_at, is_entitlement, product_type)
        VALUES (10, 3, \(Old.id(10)), \(Old.id(10)), 'month', 1, 0, 1, 11, 2000001, 2000002, 1, 3);
        INSERT INTO subscriptions (key, queue, group_id, original_key, latest_key, product_id, renewal_product_id, state,
            period_start, period_end, will_renew, renewal_amount, currency, has_used_introductory_offer, price_consent,
            attempts, due_at, offer_type, offer_id, offer_mode, offer_amount, offer_remaining)
        VALUES (7, 3, 'premium', 10, 10, 'month', 'month', 1, 1000, 2000, 1, 499, 'EUR', 0, 0, 0, 2000, 1, 'spring', 0, 199,
            2);
        UPDATE transactions SET subscription_key = 7, term_group = 'premium', term_start = 1000, term_end = 2000,
            term_is_renewal = 0, term_is_upgraded = 0;
        INSERT INTO transactions (key, queue, id, payment_id, product_id, quantity, simulates_ask_to_buy, state, revision,
            created_at, is_entitlement, product_type, blocker, deadline, is_interrupted, error_reason)
        VALUES (11, 3, \(Old.id(11)), \(Old.id(11)), 'coin', 5, 1, 4, 12, 2000003, 0, 0, 3, 2000009, 1, NULL);
        INSERT INTO transactions (key, queue, id, payment_id, product_id, quantity, simulates_ask_to_buy, state, revision,
            created_at, is_entitlement, product_type, revocation_date, revocation_reason, revocation_quantity,
            is_revocation_pending)
        VALUES (12, 3, \(Old.id(12)), \(Old.id(12)), 'pro', 1, 0, 1, 13, 2000004, 0, 1, 2000005, 1, 1, 1);

        INSERT INTO charges (key, transaction_key, queue, payment_id, application, account, product_id, quantity, amount,
            currency, state, attempts, created_at, due_at, reference)
        VALUES (4, 12, 3, \(Old.id(12)), 'org.example.notes', 'uid:1000', 'pro', 1, 499, 'EUR', 2, 1, 3000001, 3000002,
            'ch_1');
        INSERT INTO charges (key, subscription_key, queue, exclusivity, payment_id, application, account, product_id,
            quantity, amount, currency, state, attempts, created_at, due_at)
        VALUES (5, 7, 3, 'group:premium', \(Old.id(15)), 'org.example.notes', 'uid:1000', 'month', 1, 199, 'EUR', 1, 0,
            3000005, 3000006),
            (6, 7, 3, 'group:premium', \(Old.id(16)), 'org.example.notes', 'uid:1000', 'month', 1, 499, 'EUR', 3, 0,
            3000005, 3000006);
        INSERT INTO refunds (key, id, transaction_key, queue, quantity, amount, currency, reason, state, attempts,
            created_at, due_at, reference)
        VALUES (2, \(Old.id(31)), 12, 3, 1, 499, 'EUR', 1, 1, 1, 3000003, 3000004, 're_1');
        INSERT INTO restores (key, id, queue, state, revision, cursor, count, total, created_at, deadline)
        VALUES (1, \(Old.id(21)), 3, 1, 12, 10, 1, 2, 4000001, 4000002);
        INSERT INTO events (revision, queue, kind, is_pending, storefront_country, storefront_id)
        VALUES (20, 3, 3, 1, 'DEU', '143443');
        INSERT INTO history (transaction_key, date, kind, actor, detail) VALUES (12, 5000001, 0, 'tilld', 'bought');
        INSERT INTO audit (sequence, date, uid, action, subject, detail, reason, previous_hash, hash)
        VALUES (1, 1700000000000, 0, '', '', '', '', x'', x'');
        INSERT INTO settings (name, value) VALUES ('locale', 'en-US');
        """

    private static func makeVersion2(_ path: String) throws {
        let queue = try DatabaseQueue(path: path)
        try Schema.migrator.migrate(queue, upTo: "v2")
        try queue.write { try $0.execute(sql: rows) }
        try queue.close()
    }

    /// Opens a ledger of version 2, and runs `body` on it.
    private func withMigrated(_ body: (SQLiteLedger) async throws -> Void) async throws {
        try await withTemporaryDirectory { directory in
            let path = directory + "/ledger"
            try Self.makeVersion2(path)
            #expect(try Old.version(path) == 2)
            let ledger = try SQLiteLedger(path: path, logger: .silent)
            let findings = try await ledger.connections.writer.read { database in
                try String.fetchAll(database, sql: "PRAGMA integrity_check")
                    + String.fetchAll(database, sql: "SELECT \"table\" FROM pragma_foreign_key_check")
            }
            #expect(findings == ["ok"])
            try await body(ledger)
            try await ledger.close()
            #expect(try LedgerFileCheck(path: path).findings == [])
            #expect(try Old.version(path) == Int(Schema.version))
        }
    }

    private static func transaction(
        _ key: Int64,
        _ product: String,
        _ state: TransactionState,
        _ change: (inout TransactionRecord) -> Void
    ) -> TransactionRecord {
        let id = Old.uuid(Int(key))
        var record = TransactionRecord(
            key: key,
            queue: 3,
            id: id,
            payment: Payment(id: id, productID: product),
            state: state,
            revision: UInt64(key) + 1,
            createdAt: Old.date(0)
        )
        change(&record)
        return record
    }

    private static let transactions = [
        transaction(10, "month", .purchased) {
            $0.productType = .autoRenewableSubscription
            $0.createdAt = Old.date(2_000_001)
            $0.finishedAt = Old.date(2_000_002)
            $0.isEntitlement = true
            $0.term = TermRecord(subscription: 7, groupID: "premium", start: Old.date(1_000), end: Old.date(2_000))
            $0.sale = SaleRecord(amount: 0, currency: "EUR")
        },
        transaction(11, "coin", .deferred) {
            $0.productType = .consumable
            $0.payment.quantity = 5
            $0.payment.simulatesAskToBuyInSandbox = true
            $0.createdAt = Old.date(2_000_003)
            $0.blocker = .authorization
            $0.deadline = Old.date(2_000_009)
            $0.isInterrupted = true
        },
        transaction(12, "pro", .purchased) {
            $0.productType = .nonConsumable
            $0.createdAt = Old.date(2_000_004)
            $0.revocation = Revocation(date: Old.date(2_000_005), reason: .applicationIssue, quantity: 1)
            $0.isRevocationPending = true
            $0.sale = SaleRecord(amount: 499, currency: "EUR")
        },
    ]

    @Test
    func everyTransactionSurvivesWithoutReceiptAndDownloads() async throws {
        try await withMigrated { ledger in
            try await ledger.read { reader throws in
                let found = try reader.transactions(matching: TransactionFilter(), afterKey: 0, limit: 99)
                #expect(found == Self.transactions)
                #expect(try reader.downloadIDs().isEmpty)
            }
            let next = try await ledger.insert(.sample(3, revision: 61))
            #expect(next.key == 13)
        }
    }

    @Test
    func oldTransactionTakesAReceiptAndDownloads() async throws {
        try await withMigrated { ledger in
            var record = Self.transactions[2]
            record.receipt = .sample("header", 1)
            record.hasDownloads = true
            let changed = record
            try await ledger.commit { try $0.update(changed) }
            record.downloads = try await ledger.insert([.sample(record, state: .active)])
            #expect(try await ledger.read { try $0.transaction(key: changed.key) } == record)
        }
    }

    @Test
    func everyOtherRowSurvives() async throws {
        try await withMigrated { ledger in
            try await ledger.read { reader throws in
                let name = QueueName(application: "org.example.notes", account: "uid:1000")
                let expected = QueueRecord(
                    key: 3,
                    name: name,
                    revision: 60,
                    floor: 5,
                    beganAt: Old.date(2_000_001)
                )
                #expect(try reader.queue(key: 3) == expected)
                let subscription = try reader.subscription(key: 7)
                #expect(subscription?.original == Self.transactions[0].asOriginal)
                #expect(subscription?.dueAt == Old.date(2_000))
                #expect(subscription?.recentStart == Old.date(1_000))
                let charge = try reader.charge(forTransaction: 12)
                #expect(charge?.key == 12 && charge?.reference == "ch_1" && charge?.state == .succeeded)
                #expect(charge?.amountAfterOffer == nil)
                let spring = AppliedOffer(type: .promotional, id: "spring", paymentMode: .payAsYouGo)
                let charges = try reader.charges(afterKey: 0, limit: 9)
                #expect(charges.map(\.renewalOffer) == [nil, spring, nil])
                let first = ChargeRecord.renewalKeys.lowerBound
                #expect(charges.map(\.key) == [12, first, first + 1])
                #expect(charges.map(\.transactionKey) == [12, nil, nil])
                #expect(charges.map(\.subscriptionKey) == [nil, 7, 7])
                let refund = try reader.refund(Old.uuid(31))
                #expect(refund?.transactionKey == 12 && refund?.reference == "re_1" && refund?.state == .succeeded)
                let restore = try reader.restore(Old.uuid(21))
                #expect(restore?.state == .finished && restore?.total == 2)
                let storefront = Storefront(countryCode: "DEU", identifier: "143443")
                let event = EventRecord(queue: 3, revision: 20, kind: .storefrontChanged(storefront), isPending: true)
                #expect(try reader.events(in: 3, after: 0, limit: 9) == [event])
                #expect(try reader.history(ofTransaction: 12).map(\.detail) == ["bought"])
                #expect(try reader.lastAudit() == .blank)
                #expect(try reader.settings() == ["locale": "en-US"])
            }
        }
    }

    @Test
    func ledgerIsNotReadWithoutMigration() async throws {
        try await withTemporaryDirectory { directory in
            let path = directory + "/ledger"
            try Self.makeVersion2(path)
            let error = #expect(throws: TillError.self) { try SQLiteLedger.openReadOnly(path: path) }
            #expect(error?.code == .failedPrecondition)
            #expect(try Old.version(path) == 2, "reading changes nothing")
        }
    }

    @Test func paymentsThatWaitForAPersonAreStillListed() async throws {
        try await withMigrated { ledger in
            let waiting = try await ledger.read { reader in
                try ["uid:1000", nil].map {
                    try reader.transactions(waitingFor: [.authorization], account: $0, afterKey: 0, limit: 9)
                }
            }
            #expect(waiting.map { $0.map(\.key) } == [[11], [11]])
        }
    }
}
