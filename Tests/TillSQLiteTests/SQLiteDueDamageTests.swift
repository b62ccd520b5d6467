import FoundationEssentials
import Testing
import TillEngine
import TillModel
import TillSQLite
import TillTesting

@Suite("Due rows of the SQLite ledger beside a row that cannot be read")
struct SQLiteDueDamageTests {
    struct DueList: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var table: String
        var damage: String
        var count: @Sendable (any LedgerReader) throws -> Int

        init(
            _ name: String,
            _ table: String,
            _ damage: String,
            count: @escaping @Sendable (any LedgerReader) throws -> Int
        ) {
            testDescription = name
            self.table = table
            self.damage = damage
            self.count = count
        }
    }

    static let lists = [
        DueList("due charges", "transactions", "detail = x'ff'") {
            try $0.dueCharges(at: time(9), limit: 9).count { $0.transactionKey != nil }
        },
        DueList("charges due later", "transactions", "detail = x'ff'") {
            try $0.charges(dueAfter: time(-9), limit: 9).count { $0.transactionKey != nil }
        },
        DueList("due renewals", "renewal_charges", "payment_id = x''") {
            try $0.dueCharges(at: time(9), limit: 9).count { $0.transactionKey == nil }
        },
        DueList("renewals due later", "renewal_charges", "payment_id = x''") {
            try $0.charges(dueAfter: time(-9), limit: 9).count { $0.transactionKey == nil }
        },
        DueList("overdue transactions", "transactions", "detail = x'ff'") {
            try $0.overdueTransactions(at: time(9), limit: 9).count
        },
        DueList("transactions that wait for long", "transactions", "detail = x'ff'") {
            try $0.transactions(waitingBeyond: time(-9), limit: 9).count
        },
        DueList("due subscriptions", "subscriptions", "price_consent = 9") {
            try $0.dueSubscriptions(at: time(9), limit: 9).count
        },
        DueList("due refunds", "refunds", "reason = 2") { try $0.dueRefunds(at: time(9), limit: 9).count },
        DueList("refunds due later", "refunds", "reason = 2") { try $0.refunds(dueAfter: time(-9), limit: 9).count },
        DueList("running restores", "restores", "error_code = 0") { try $0.runningRestores(limit: 9).count },
        DueList("active downloads", "downloads", "sha256 = zeroblob(31)") {
            try $0.activeDownloads(limit: 9).count
        },
    ]

    @Test(arguments: lists)
    func rowThatCannotBeReadHidesNoOther(_ list: DueList) async throws {
        try await withTemporaryDirectory { directory in
            let path = directory + "/ledger"
            let ledger = try SQLiteLedger(path: path, logger: .silent)
            for application in ["org.example.notes", "org.example.draw"] {
                try await ledger.commit { try Self.write($0, application) }
            }
            #expect(try await ledger.read(list.count) == 2)
            try await ledger.close()
            try edit(path, "UPDATE \(list.table) SET \(list.damage) WHERE key = (SELECT min(key) FROM \(list.table))")
            let damaged = try SQLiteLedger(path: path, logger: .silent)
            #expect(try await damaged.read(list.count) == 1)
            try await damaged.close()
        }
    }

    @Test
    func engineServesTheOtherQueues() async throws {
        try await withTemporaryDirectory { directory in
            let path = directory + "/ledger"
            let ledger = try SQLiteLedger(path: path, logger: .silent)
            try await ledger.commit { try Self.write($0, "org.example.notes") }
            try await ledger.close()
            try edit(path, "UPDATE transactions SET detail = x'ff'; UPDATE queues SET floor = -1")
            let damaged = try SQLiteLedger(path: path, logger: .silent)
            try await Self.buy("coins", from: damaged)
            try await damaged.close()
        }
    }

    /// Buys in a new queue, by an engine that runs until then.
    private static func buy(_ product: String, from ledger: SQLiteLedger) async throws {
        let engine = PaymentEngine(
            ledger: ledger,
            catalogue: TestCatalogue(),
            provider: ScriptedProvider(),
            downloader: ScriptedDownloader(),
            configuration: EngineConfiguration(),
            logger: .silent,
            time: VirtualTime()
        )
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await engine.run() }
            group.addTask {
                let payment = Payment(productID: product)
                let name = QueueName(application: "org.example.other", account: "uid:1000")
                _ = try await engine.addPayment(payment, to: name)
                while !Task.isCancelled,
                    try await ledger.read({ try $0.transaction(payment.id)?.state }) != .purchased
                {
                    await Task.yield()
                }
                engine.stop()
            }
            // An engine that ends by an error ends the purchase, too.
            for try await _ in group {}
        }
    }

    /// Writes a row of everything that can be due into a new queue.
    private static func write(_ writer: any LedgerWriter, _ application: String) throws {
        let queue = try writer.createQueue(QueueName(application: application, account: "uid:1000")).key
        var record = TransactionRecord.sample(queue, revision: 1, blocker: .approval, deadline: time(0))
        record.hasDownloads = true
        record.key = try writer.insert(record)
        _ = try writer.insert(DownloadRecord.sample(record, state: .active))
        let subscription = try writer.insert(SubscriptionRecord.sample(record, due: 0))
        _ = try writer.insert(ChargeRecord.sample(queue, nil, subscription: subscription))
        _ = try writer.insert(ChargeRecord.sample(queue, record.key))
        try writer.insert(RefundRecord.sample(record))
        try writer.insert(RestoreRecord.sample(queue))
    }
}
