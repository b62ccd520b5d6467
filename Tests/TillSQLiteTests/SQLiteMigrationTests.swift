import FoundationEssentials
import GRDB
import Testing
import TillEngine
import TillModel

@testable import TillSQLite

@Suite("A ledger of version 1 that is opened")
struct SQLiteMigrationTests {
    /// Rows of every table as version 1 wrote them.
    static let rows = """
        INSERT INTO queues (key, application, account, revision, floor)
        VALUES (3, 'org.example.notes', 'uid:1000', 60, 5), (4, 'org.example.draw', 'uid:1000', 1, 0);

        INSERT INTO transactions (key, queue, id, payment_id, product_id, quantity, application_username, request_data,
            discount_id, discount_key_id, discount_nonce, discount_signature, discount_timestamp, simulates_ask_to_buy,
            state, revision, created_at, finished_at, error_code, error_message, error_money_moved, error_retry,
            error_provider_code, original_key, is_entitlement)
        VALUES
            (10, 3, \(id(10)), \(id(10)), 'pro', 1, 'anna', x'00ff', 'off', 'key', \(id(99)), 'signature', 1000123, 1,
                1, 11, 2000001, 2000002, NULL, NULL, NULL, NULL, NULL, NULL, 1),
            (11, 3, \(id(11)), \(id(11)), 'coin', 5, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0,
                2, 12, 2000003, NULL, 0, 'No.', 0, 2, 'declined', NULL, 0),
            (12, 3, \(id(12)), \(id(10)), 'pro', 1, 'anna', NULL, NULL, NULL, NULL, NULL, NULL, 0,
                3, 13, 2000004, NULL, NULL, NULL, NULL, NULL, NULL, 10, 0),
            (13, 3, \(id(13)), \(id(13)), 'extra', 1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0,
                0, 14, 2000005, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0),
            (14, 3, \(id(14)), \(id(14)), 'extra', 1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0,
                0, 15, 2000006, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0),
            (15, 4, \(id(15)), \(id(15)), 'brush', 1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0,
                1, 1, 2000007, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0);

        INSERT INTO charges (transaction_key, queue, payment_id, application, account, product_id, quantity, amount,
            currency, state, attempts, created_at, due_at, reference)
        VALUES
            (15, 4, \(id(15)), 'org.example.draw', 'uid:1000', 'brush', 1, 99, 'EUR', 5, 9, 3000001, 3000002, NULL),
            (14, 3, \(id(14)), 'org.example.notes', 'uid:1000', 'extra', 1, 200, 'EUR', 0, 0, 3000003, 3000004, NULL),
            (13, 3, \(id(13)), 'org.example.notes', 'uid:1000', 'extra', 1, 200, 'EUR', 1, 2, 3000005, 3000006, NULL),
            (11, 3, \(id(11)), 'org.example.notes', 'uid:1000', 'coin', 5, 500, 'JPY', 3, 1, 3000007, 3000008, NULL),
            (10, 3, \(id(10)), 'org.example.notes', 'uid:1000', 'pro', 1, 499, 'EUR', 2, 1, 3000009, 3000010, 'ch_1');

        INSERT INTO restores (key, id, queue, application_username, state, revision, cursor, count, created_at, deadline)
        VALUES (1, \(id(21)), 3, NULL, 1, 12, 10, 1, 4000001, 4000002),
            (2, \(id(22)), 3, 'anna', 2, 13, 0, 0, 4000003, 4000004),
            (3, \(id(23)), 3, 'anna', 0, 14, 0, 0, 4000005, 4000006),
            (4, \(id(24)), 3, 'bert', 0, 15, 0, 0, 4000007, 4000008),
            (5, \(id(25)), 3, NULL, 2, 15, 0, 0, 4000009, 4000010);

        INSERT INTO events (revision, queue, restore_id, restored_count, error_code, error_message, error_money_moved,
            error_retry, error_provider_code)
        VALUES (20, 3, \(id(21)), 1, NULL, NULL, NULL, NULL, NULL),
            (21, 3, \(id(22)), NULL, 7, 'Nobody.', 1, 1, 'p');
        """

    /// A UUID that ends in a number, as SQL.
    static func id(_ number: Int) -> String {
        "x'\(uuid(number).bytes.hexadecimal)'"
    }

    static func uuid(_ number: Int) -> UUID {
        UUID(high: 0x0199_0000_0000_7000, low: 0x8000_0000_0000_0000 | UInt64(number))
    }

    static func date(_ milliseconds: Int64) -> Date {
        Date(millisecondsSince1970: milliseconds)
    }

    /// Makes a closed ledger of version 1 with its rows; returns its identity.
    private static func makeVersion1(_ path: String, isClean: Bool = true) throws -> UUID? {
        let queue = try DatabaseQueue(path: path)
        try Schema.migrator.migrate(queue, upTo: "v1")
        try queue.write { database in
            try database.execute(sql: rows)
            try database.execute(sql: "UPDATE meta SET clean = \(isClean ? 1 : 0)")
        }
        let id = try queue.read { try Data.fetchOne($0, sql: "SELECT ledger_id FROM meta") }
        try queue.close()
        return id.flatMap { UUID(bytes: $0) }
    }

    static func version(_ path: String) throws -> Int? {
        let queue = try DatabaseQueue(path: path)
        let version = try queue.read { try Int.fetchOne($0, sql: "PRAGMA user_version") }
        try queue.close()
        return version
    }

    /// Makes a ledger of an older version with rows, opens it, and runs `body` on it.
    static func withMigrated(
        from version: String,
        _ configuration: Configuration,
        rows: String,
        _ body: (SQLiteLedger) async throws -> Void
    ) async throws {
        try await withTemporaryDirectory { directory in
            let path = directory + "/ledger"
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            try Schema.migrator.migrate(queue, upTo: version)
            try await queue.write { try $0.execute(sql: rows) }
            try queue.close()
            let ledger = try SQLiteLedger(path: path, logger: .silent)
            try await body(ledger)
            try await ledger.close()
            #expect(try LedgerFileCheck(path: path).findings == [])
            #expect(try Self.version(path) == Int(Schema.version))
        }
    }

    /// Opens a ledger of version 1, and runs `body` on it.
    private func withMigrated(isClean: Bool = true, _ body: (SQLiteLedger) async throws -> Void) async throws {
        try await withTemporaryDirectory { directory in
            let path = directory + "/ledger"
            let id = try Self.makeVersion1(path, isClean: isClean)
            let ledger = try SQLiteLedger(path: path, logger: .silent)
            #expect(ledger.id == id)
            try await body(ledger)
            try await ledger.close()
            #expect(try LedgerFileCheck(path: path).findings == [])
            #expect(try Self.version(path) == Int(Schema.version))
        }
    }

    @Test(arguments: [true, false])
    func queuesAndTheMarkSurvive(_ isClean: Bool) async throws {
        try await withMigrated(isClean: isClean) { ledger in
            let notes = QueueName(application: "org.example.notes", account: "uid:1000")
            let draw = QueueName(application: "org.example.draw", account: "uid:1000")
            let expected = [
                QueueRecord(key: 3, name: notes, revision: 60, floor: 5, beganAt: Self.date(2_000_001)),
                QueueRecord(key: 4, name: draw, revision: 1, floor: 0, beganAt: Self.date(2_000_007)),
            ]
            #expect(try await ledger.read { try $0.queues(afterKey: 0, limit: 9) } == expected)
            let findings = try await ledger.connections.writer.read { database in
                try String.fetchAll(database, sql: "PRAGMA integrity_check")
                    + String.fetchAll(database, sql: "SELECT \"table\" FROM pragma_foreign_key_check")
            }
            #expect(findings == ["ok"])
        }
    }

    @Test
    func everyTransactionSurvives() async throws {
        var bought = Payment(id: Self.uuid(10), productID: "pro", applicationUsername: "anna", requestData: [0, 255])
        bought.simulatesAskToBuyInSandbox = true
        bought.discount = PaymentDiscount(
            identifier: "off",
            keyIdentifier: "key",
            nonce: Self.uuid(99),
            signature: "signature",
            timestamp: Self.date(1_000_123)
        )
        let error = PaymentError(
            .unknown,
            "No.",
            moneyMoved: .unknown,
            retry: .afterReconciliation,
            providerCode: "declined"
        )
        let original = OriginalRecord(key: 10, id: Self.uuid(10), purchasedAt: Self.date(2_000_001))
        let expected = [
            Self.transaction(10, bought, .purchased, 11, 2_000_001) {
                $0.productType = .nonConsumable
                $0.finishedAt = Self.date(2_000_002)
                $0.isEntitlement = true
                $0.sale = SaleRecord(amount: 499, currency: "EUR")
            },
            Self.transaction(11, Payment(id: Self.uuid(11), productID: "coin", quantity: 5), .failed, 12, 2_000_003) {
                $0.error = error
            },
            Self.transaction(
                12,
                Payment(id: Self.uuid(10), productID: "pro", applicationUsername: "anna"),
                .restored,
                13,
                2_000_004
            ) {
                $0.original = original
                $0.repeats = 10
                $0.sale = SaleRecord(amount: 499, currency: "EUR")
            },
            Self.transaction(13, Payment(id: Self.uuid(13), productID: "extra"), .purchasing, 14, 2_000_005) {
                $0.blocker = .provider
                $0.sale = SaleRecord(amount: 200, currency: "EUR")
            },
            Self.transaction(14, Payment(id: Self.uuid(14), productID: "extra"), .purchasing, 15, 2_000_006) {
                $0.blocker = .otherPayment
                $0.sale = SaleRecord(amount: 200, currency: "EUR")
            },
            Self.transaction(15, Payment(id: Self.uuid(15), productID: "brush"), .purchased, 1, 2_000_007) {
                $0.queue = 4
                $0.sale = SaleRecord(amount: 99, currency: "EUR")
            },
        ]
        try await withMigrated { ledger in
            try await ledger.read { reader throws in
                let found = try reader.transactions(matching: TransactionFilter(), afterKey: 0, limit: 99)
                #expect(found == expected)
                #expect(try reader.entitlement(to: "pro", in: 3) == expected[0])
                #expect(try reader.restorableCount(in: 3, applicationUsername: nil) == 1)
                let deliverable = try reader.deliverableTransactions(in: 3, revisions: 0...99, limit: 9)
                #expect(deliverable == Array(expected[1...4]))
            }
            let next = try await ledger.insert(.sample(3, revision: 61))
            #expect(next.key == 16)
        }
    }

    @Test
    func everyChargeSurvivesUnderTheKeyOfItsTransaction() async throws {
        let rows: [(Int, String, Int, Int64, String, ChargeRecord.State, Int, Int64)] = [
            (10, "pro", 1, 499, "EUR", .succeeded, 1, 3_000_009), (11, "coin", 5, 500, "JPY", .declined, 1, 3_000_007),
            (13, "extra", 1, 200, "EUR", .open, 2, 3_000_005), (14, "extra", 1, 200, "EUR", .waiting, 0, 3_000_003),
            (15, "brush", 1, 99, "EUR", .needsReview, 9, 3_000_001),
        ]
        let expected = rows.map { row in
            ChargeRecord(
                key: Int64(row.0),
                transactionKey: Int64(row.0),
                queue: row.0 == 15 ? 4 : 3,
                exclusiveGroup: row.5.isSettled ? nil : row.1,
                request: ChargeRequest(
                    paymentID: Self.uuid(row.0),
                    application: row.0 == 15 ? "org.example.draw" : "org.example.notes",
                    account: "uid:1000",
                    productID: row.1,
                    quantity: row.2,
                    amount: row.3,
                    currency: row.4
                ),
                state: row.5,
                attempts: row.6,
                createdAt: Self.date(row.7),
                dueAt: Self.date(row.7 + 1),
                reference: row.0 == 10 ? "ch_1" : nil
            )
        }
        try await withMigrated { ledger in
            try await ledger.read { reader throws in
                #expect(try reader.charges(afterKey: 0, limit: 99) == expected)
                let unsettled = try reader.unsettledCharges(exclusiveGroup: "extra", in: 3, limit: 9)
                #expect(unsettled == [expected[2], expected[3]])
                #expect(try reader.dueCharges(at: .distantFuture, limit: 9) == [expected[2]])
                #expect(try reader.nextDue() == Self.date(3_000_006))
            }
            let next = try await ledger.insert(ChargeRecord.sample(3, nil))
            #expect(next.key == ChargeRecord.renewalKeys.lowerBound)
        }
    }

    @Test
    func everyRestoreAndEventSurvives() async throws {
        let error = PaymentError(.cloudServiceNetworkConnectionFailed, "Nobody.", providerCode: "p")
        // The number, the username, the state, the revision, the cursor, the count, the total, the error, the creation.
        let rows: [(Int, String?, RestoreState, UInt64, Int64, Int, Int, PaymentError?, Int64)] = [
            (21, nil, .finished, 12, 10, 1, 1, nil, 4_000_001), (22, "anna", .failed, 13, 0, 0, 0, error, 4_000_003),
            (23, "anna", .running, 14, 0, 0, 1, nil, 4_000_005), (24, "bert", .running, 15, 0, 0, 0, nil, 4_000_007),
            (25, nil, .failed, 15, 0, 0, 0, nil, 4_000_009),
        ]
        let restores = rows.map { row in
            RestoreRecord(
                id: Self.uuid(row.0),
                queue: 3,
                applicationUsername: row.1,
                state: row.2,
                revision: row.3,
                cursor: row.4,
                count: row.5,
                total: row.6,
                error: row.7,
                createdAt: Self.date(row.8),
                deadline: Self.date(row.8 + 1)
            )
        }
        let events = [
            EventRecord(queue: 3, revision: 20, kind: .restoreFinished(id: Self.uuid(21), count: 1)),
            EventRecord(queue: 3, revision: 21, kind: .restoreFailed(id: Self.uuid(22), error: error)),
        ]
        try await withMigrated { ledger in
            try await ledger.read { reader throws in
                #expect(try restores.map { try reader.restore($0.id) } == restores)
                #expect(try reader.runningRestores(limit: 9) == [restores[2], restores[3]])
                #expect(try reader.events(in: 3, after: 0, limit: 9) == events)
                #expect(try reader.pendingEvents(in: 3, revisions: 0...99, limit: 9).isEmpty)
            }
        }
    }

    @Test
    func ledgerOfAnOlderVersionIsNotReadWithoutMigration() async throws {
        try await withTemporaryDirectory { directory in
            let path = directory + "/ledger"
            _ = try Self.makeVersion1(path)
            let error = #expect(throws: TillError.self) { try SQLiteLedger.openReadOnly(path: path) }
            #expect(error?.code == .failedPrecondition)
            #expect(error?.message.contains("older Till") == true, "\(String(describing: error))")
            #expect(try Self.version(path) == 1, "reading changes nothing")
            try await SQLiteLedger(path: path, logger: .silent).close()
            try await SQLiteLedger.openReadOnly(path: path).close()
        }
    }

    private static func transaction(
        _ key: Int64,
        _ payment: Payment,
        _ state: TransactionState,
        _ revision: UInt64,
        _ created: Int64,
        _ change: (inout TransactionRecord) -> Void
    ) -> TransactionRecord {
        var record = TransactionRecord(
            key: key,
            queue: 3,
            id: uuid(Int(key)),
            payment: payment,
            state: state,
            revision: revision,
            createdAt: date(created)
        )
        change(&record)
        return record
    }
}
