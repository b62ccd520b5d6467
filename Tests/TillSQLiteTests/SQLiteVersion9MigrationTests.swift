import FoundationEssentials
import GRDB
import Testing
import TillEngine
import TillModel

@testable import TillSQLite

@Suite("A ledger of version 9 that is opened")
struct SQLiteVersion9MigrationTests {
    private typealias Old = SQLiteMigrationTests

    private static let receipt = "eyJhIjoxfQ.c2lnbmF0dXJl"

    /// A subscription's first period (10), a failed copy of it with every value (11), and a renewal that is charged.
    private static let rows = """
        INSERT INTO queues (key, application, account, revision, floor)
        VALUES (3, 'org.example.notes', 'uid:1000', 60, 5), (4, 'org.example.draw', 'uid:1000', 0, 0);
        INSERT INTO receipt_headers (key, header) VALUES (2, 'header');
        INSERT INTO transactions (key, queue, id, payment_id, product_id, quantity, simulates_ask_to_buy, state, revision,
            created_at, finished_at, is_entitlement, product_type, receipt, receipt_header, purchased_at)
        VALUES (10, 3, \(Old.id(10)), \(Old.id(10)), 'gold', 1, 0, 1, 11, 1000, 1001, 1, 3, '\(receipt)', 2, 1002);
        INSERT INTO subscriptions (key, queue, group_id, original_key, latest_key, product_id, renewal_product_id, state,
            period_start, period_end, will_renew, renewal_amount, currency, has_used_introductory_offer, price_consent,
            attempts)
        VALUES (7, 3, 'premium', 10, 10, 'gold', 'gold', 1, 1000, 2000, 1, 499, 'EUR', 1, 0, 0);
        INSERT INTO transactions (key, queue, id, payment_id, product_id, quantity, application_username, request_data,
            discount_id, discount_key_id, discount_nonce, discount_signature, discount_timestamp, simulates_ask_to_buy,
            state, revision, created_at, finished_at, error_code, error_message, error_money_moved, error_retry,
            error_reason, error_provider_code, original_key, is_entitlement, product_type, blocker, deadline, continues,
            is_interrupted, offer_type, offer_id, offer_mode, subscription_key, term_group, term_start, term_end,
            term_is_renewal, term_is_upgraded, revocation_date, revocation_reason, revocation_quantity,
            is_revocation_pending, receipt_header, receipt, has_downloads, purchased_at, repeats, sale_amount,
            sale_currency, sale_country, sale_storefront, sale_offer_period)
        VALUES (11, 3, \(Old.id(11)), \(Old.id(12)), 'gold', 3, 'anna', x'00ff', 'off', 'key', \(Old.id(99)), 'signature',
            1000123, 1, 2, 12, 2000, 2001, 2, 'No.', 1, 2, 3, 'declined', 10, 1, 3, 3, 2002, \(Old.id(13)), 1, 1, 'spring',
            0, 7, 'premium', 1000, 2000, 1, 1, 2003, 1, 2, 1, 2, 'not packed', 1, 2004, 10, 99, 'EUR', 'DEU', '143443',
            'P1W');
        INSERT INTO charges (key, transaction_key, subscription_key, queue, exclusivity, payment_id, application, account,
            product_id, quantity, amount, currency, amount_after_offer, renewal_offer_type, renewal_offer_id,
            renewal_offer_mode, state, attempts, created_at, due_at, reference)
        VALUES
            (4, 11, 7, 3, 'premium', \(Old.id(14)), 'org.example.other', 'uid:7', 'silver', 2, 100, 'USD', 300, 1, 'spring',
                0, 5, 9, 3000, 3001, 'ch_1'),
            (9, NULL, 7, 3, 'premium', \(Old.id(15)), 'org.example.notes', 'uid:1000', 'gold', 1, 499, 'EUR', NULL, NULL,
                NULL, NULL, 1, 2, 3002, 3003, NULL);
        INSERT INTO history (transaction_key, date, kind, actor, detail)
        VALUES (11, 4000, 0, 'tilld', 'first'), (10, 4001, 0, 'uid:7', 'of the other'), (11, 4002, 2, 'uid:7', 'second');
        """

    private static let transaction: TransactionRecord = {
        var payment = Payment(id: Old.uuid(12), productID: "gold", quantity: 3, applicationUsername: "anna")
        payment.requestData = [0, 255]
        payment.simulatesAskToBuyInSandbox = true
        payment.discount = PaymentDiscount(
            identifier: "off",
            keyIdentifier: "key",
            nonce: Old.uuid(99),
            signature: "signature",
            timestamp: Old.date(1_000_123)
        )
        var record = TransactionRecord(
            key: 11,
            queue: 3,
            id: Old.uuid(11),
            payment: payment,
            productType: .autoRenewableSubscription,
            state: .failed,
            revision: 12,
            createdAt: Old.date(2_000)
        )
        record.purchasedAt = Old.date(2_004)
        record.finishedAt = Old.date(2_001)
        record.error = PaymentError(.init(rawValue: 2), "No.", moneyMoved: .no, retry: .never, providerCode: "declined")
        record.original = OriginalRecord(key: 10, id: Old.uuid(10), purchasedAt: Old.date(1_002))
        record.repeats = 10
        record.isEntitlement = true
        record.blocker = .authorization
        record.deadline = Old.date(2_002)
        record.continues = Old.uuid(13)
        record.isInterrupted = true
        record.offer = AppliedOffer(type: .promotional, id: "spring", paymentMode: .payAsYouGo)
        record.sale = SaleRecord(
            amount: 99,
            currency: "EUR",
            storefront: Storefront(countryCode: "DEU", identifier: "143443"),
            offerPeriod: "P1W"
        )
        record.term = TermRecord(
            subscription: 7,
            groupID: "premium",
            start: Old.date(1_000),
            end: Old.date(2_000),
            isRenewal: true,
            isUpgraded: true
        )
        record.revocation = Revocation(date: Old.date(2_003), reason: .applicationIssue, quantity: 2)
        record.isRevocationPending = true
        record.receipt = SignedReceipt(header: "header", body: "not packed")
        record.hasDownloads = true
        return record
    }()

    private func withMigrated(_ body: (SQLiteLedger) async throws -> Void) async throws {
        try await Old.withMigrated(from: "v9", .guardingPages, rows: Self.rows, body)
    }

    @Test func everyValueOfATransactionSurvives() async throws {
        try await withMigrated { ledger in
            let (first, second) = try await ledger.read { reader in
                (try reader.transaction(key: 10), try reader.transaction(key: 11))
            }
            #expect(first?.receipt == SignedReceipt(header: "header", body: Self.receipt))
            var found = try #require(second)
            // Version 9 and this test name the same reasons by the same numbers.
            #expect(found.error?.reason.rawValue == 3)
            #expect(found.error?.moneyMoved.rawValue == 1 && found.error?.retry.rawValue == 2)
            found.error = Self.transaction.error
            #expect(found == Self.transaction)
        }
    }

    @Test func everyChargeSurvives() async throws {
        try await withMigrated { ledger in
            let charges = try await ledger.read { try $0.charges(afterKey: 0, limit: 9) }
            let failed = ChargeRecord(
                key: 11,
                transactionKey: 11,
                subscriptionKey: 7,
                queue: 3,
                exclusiveGroup: "premium",
                request: ChargeRequest(
                    paymentID: Old.uuid(14),
                    application: "org.example.other",
                    account: "uid:7",
                    productID: "silver",
                    quantity: 2,
                    amount: 100,
                    currency: "USD"
                ),
                amountAfterOffer: 300,
                renewalOffer: AppliedOffer(type: .promotional, id: "spring", paymentMode: .payAsYouGo),
                state: .needsReview,
                attempts: 9,
                createdAt: Old.date(3_000),
                dueAt: Old.date(3_001),
                reference: "ch_1"
            )
            #expect(charges.first == failed)
            let renewal = try #require(charges.last)
            #expect(renewal.key == ChargeRecord.renewalKeys.lowerBound && renewal.transactionKey == nil)
            #expect(renewal.request.paymentID == Old.uuid(15) && renewal.dueAt == Old.date(3_003))
            try await ledger.read { reader throws in
                #expect(try reader.dueCharges(at: Old.date(3_003), limit: 9) == [renewal])
                #expect(try reader.unsettledCharges(exclusiveGroup: "premium", in: 3, limit: 9) == [renewal])
                let inReview = TransactionFilter(attention: .needsReview)
                #expect(try reader.transactions(matching: inReview, afterKey: 0, limit: 9).map(\.key) == [11])
            }
        }
    }

    @Test func everyHistorySurvives() async throws {
        try await withMigrated { ledger in
            let histories = try await ledger.read { reader in
                try [10, 11].map { try reader.history(ofTransaction: $0).map { [$0.actor, $0.detail] } }
            }
            #expect(histories == [[["uid:7", "of the other"]], [["tilld", "first"], ["uid:7", "second"]]])
        }
    }

    @Test func listsFindWhatTheyFound() async throws {
        try await withMigrated { ledger in
            try await ledger.read { reader throws in
                #expect(try reader.transactions(in: 3, changedAfter: 0, limit: 9).map(\.key) == [10, 11])
                #expect(try reader.deliverableTransactions(in: 3, revisions: 0...99, limit: 9).map(\.key) == [11])
                #expect(try reader.restorableCount(in: 3, applicationUsername: nil) == 2)
                #expect(try reader.restorableCount(in: 3, applicationUsername: "anna") == 1)
                #expect(try reader.terms(ofSubscription: 7, afterKey: 0, limit: 9).isEmpty)
                #expect(try reader.receiptTransactions(in: 3, beforeKey: .max, limit: 9).map(\.key) == [10])
                #expect(try reader.queue(key: 3)?.beganAt == Old.date(1_000))
                #expect(try reader.queue(key: 4)?.beganAt == nil)
                #expect(try reader.subscription(key: 7)?.original.purchasedAt == Old.date(1_002))
            }
        }
    }

    @Test func aRowThatCannotBeReadStopsTheChange() async throws {
        try await withTemporaryDirectory { directory in
            let path = directory + "/ledger"
            let queue = try DatabaseQueue(path: path, configuration: .guardingPages)
            try Schema.migrator.migrate(queue, upTo: "v9")
            try await queue.write { database in
                try database.execute(sql: Self.rows)
                try database.execute(sql: "PRAGMA ignore_check_constraints = ON")
                try database.execute(sql: "UPDATE transactions SET state = 9 WHERE key = 11")
            }
            try queue.close()
            let error = #expect(throws: TillError.self) { try SQLiteLedger(path: path, logger: .silent) }
            #expect(error?.code == .dataLoss)
            #expect(error?.message == "Row 11 of the ledger's table transactions cannot be read: see its column state.")
            #expect(try Old.version(path) == 9, "nothing has changed")
        }
    }

    /// The view for people who keep books.
    @Test func paymentsAreListedInWords() async throws {
        try await withMigrated { ledger in
            let rows = try await ledger.connections.writer.read { database in
                try Row.fetchAll(database, sql: "SELECT * FROM payments ORDER BY key").map(\.description)
            }
            #expect(
                rows == [
                    """
                    [key:10 application:"org.example.notes" account:"uid:1000" id:"\(Old.uuid(10).text)" \
                    product_id:"gold" state:"purchased" is_finished:1 created_at:"1970-01-01 00:00:01" amount:NULL \
                    currency:NULL charge:NULL]
                    """,
                    """
                    [key:11 application:"org.example.notes" account:"uid:1000" id:"\(Old.uuid(11).text)" \
                    product_id:"gold" state:"failed" is_finished:1 created_at:"1970-01-01 00:00:02" amount:99 \
                    currency:"EUR" charge:"needs review"]
                    """,
                ]
            )
        }
    }
}
