import FoundationEssentials
import Testing
import TillEngine
import TillModel

@testable import TillSQLite

@Suite("Rows of the SQLite ledger that are not as they were written")
struct SQLiteDamageTests {
    struct Damage: Sendable, CustomTestStringConvertible {
        var table: String
        var change: String
        /// The column that the error names.
        var column: String

        init(_ table: String, _ change: String, _ column: String) {
            self.table = table
            self.change = change
            self.column = column
        }

        var testDescription: String {
            "\(table): \(change)"
        }
    }

    static let transactions = [
        Damage("transactions", "id = x'01'", "id"), Damage("transactions", "state = 9", "state"),
        Damage("transactions", "revision = -1", "revision"),
        Damage("transactions", "currency = CAST(x'ff' AS TEXT)", "currency"),
        Damage("transactions", "product_id = CAST(x'ff80' AS TEXT)", "product_id"),
        Damage("transactions", "receipt = CAST(x'ff' AS TEXT)", "receipt"),
        Damage("transactions", "receipt = x''", "receipt"), Damage("transactions", "receipt = x'0201'", "receipt"),
        Damage("transactions", "receipt = NULL", "receipt"), Damage("transactions", "receipt = 7", "receipt"),
        Damage("transactions", "receipt_header = NULL", "receipt_header"),
        Damage("transactions", "receipt_header = 99", "receipt_header"),
        Damage("transactions", "history = x'0a'", "history"), Damage("transactions", "history = x'0a00'", "history"),
        Damage("receipt_headers", "header = CAST(x'ff' AS TEXT)", "header"),
    ]

    /// Each has a field that no writer stores, in the form of Protocol Buffers.
    static let details = [
        ("a key that is cut off", "ff"), ("a key of more than ten bytes", "ffffffffffffffffffffff01"),
        ("a type that is not used", "0d00000000"), ("a product type that there is not", "0804"),
        ("a number where there is a text", "2001"), ("a length beyond the end", "2201"),
        ("an error without its code", "2200"), ("a flag that is 2", "3802"), ("an identity of one byte", "520101"),
        ("an original without its key", "2a00"), ("an offer without its type", "6200"),
        ("a sale without its price", "6a00"), ("a period that is not a text", "6a031201ff"),
        ("a term without its group", "72020801"),
        ("a revocation without its reason", "7a020801"), ("a charge without its state", "820200"),
        ("a charge in a state that there is not", "8202020809"),
    ].map { Damage("transactions", "detail = x'\($0.1)' /* \($0.0) */", "detail") }

    static let downloads = [
        Damage("downloads", "id = x'01'", "id"), Damage("downloads", "transaction_id = x''", "transaction_id"),
        Damage("downloads", "product_id = CAST(x'ff' AS TEXT)", "product_id"),
        Damage("downloads", "content_length = -1", "content_length"),
        Damage("downloads", "sha256 = zeroblob(31)", "sha256"), Damage("downloads", "sha256 = zeroblob(33)", "sha256"),
        Damage("downloads", "state = 6", "state"), Damage("downloads", "state = -1", "state"),
        Damage("downloads", "revision = -1", "revision"), Damage("downloads", "received_bytes = -1", "received_bytes"),
        Damage("downloads", "error_reason = 0", "error_reason"),
        Damage("downloads", "error_reason = 11, error_message = ''", "error_reason"),
        Damage("downloads", "error_reason = 1", "error_message"),
        Damage("downloads", "path = CAST(x'ff' AS TEXT)", "path"), Damage("downloads", "size = -1", "size"),
    ]

    static let others = [
        Damage("renewal_charges", "state = -1", "state"),
        Damage("renewal_charges", "payment_id = x''", "payment_id"),
        Damage("restores", "state = 3", "state"), Damage("restores", "error_code = 0", "error_message"),
        Damage("queues", "floor = -5", "floor"), Damage("events", "restored_count = NULL", "restored_count"),
        Damage("events", "kind = 1", "error_code"), Damage("events", "kind = 2", "payment_id"),
        Damage("events", "kind = 3", "storefront_country"), Damage("events", "kind = 4", "kind"),
        Damage("events", "is_pending = 2", "is_pending"), Damage("subscriptions", "state = 0", "state"),
        Damage("subscriptions", "original_id = NULL", "original_id"),
        Damage("subscriptions", "offer_type = 0", "offer_mode"),
        Damage("subscriptions", "offer_type = 0, offer_mode = 0", "offer_amount"),
        Damage("subscriptions", "price_consent = 9", "price_consent"),
        Damage("subscriptions", "expiration_reason = 0", "expiration_reason"), Damage("refunds", "state = 4", "state"),
        Damage("refunds", "reason = 2", "reason"),
        Damage("audit", "uid = -1", "uid"), Damage("audit", "uid = 4294967296", "uid"),
        Damage("settings", "value = CAST(x'ff' AS TEXT)", "value"),
    ]

    @Test(arguments: transactions + details + downloads + others)
    func rowThatIsNotAsWrittenIsAnError(_ damage: Damage) async throws {
        try await withTemporaryDirectory { directory in
            let path = directory + "/ledger"
            let ledger = try SQLiteLedger(path: path, logger: .silent)
            let restore = RestoreRecord.sample(1)
            let refund = try await ledger.change { writer in try Self.write(writer, restore) }
            try await ledger.close()
            try edit(path, "UPDATE \(damage.table) SET \(damage.change)")
            let damaged = try SQLiteLedger(path: path, logger: .silent)
            let error = await #expect(throws: TillError.self) {
                try await damaged.read { reader in try Self.read(reader, restore.id, refund) }
            }
            #expect(error?.code == .dataLoss)
            let message = error?.message ?? ""
            #expect(message.contains("of the ledger's table \(damage.table) cannot be read"), "\(message)")
            #expect(message.contains("see its column \(damage.column)."), "\(message)")
            try await damaged.close()
        }
    }

    /// Writes one row of each table; returns the identity of the refund.
    private static func write(_ writer: any LedgerWriter, _ restore: RestoreRecord) throws -> UUID {
        let queue = try writer.createQueue(someQueue).key
        var record = TransactionRecord.sample(queue, revision: 1)
        record.receipt = .sample("header", 1)
        record.hasDownloads = true
        record.key = try writer.insert(record)
        _ = try writer.insert(DownloadRecord.sample(record))
        let subscription = try writer.insert(SubscriptionRecord.sample(record))
        _ = try writer.insert(ChargeRecord.sample(queue, nil, subscription: subscription))
        _ = try writer.insert(ChargeRecord.sample(queue, record.key))
        let refund = RefundRecord.sample(record)
        try writer.insert(refund)
        try writer.insert(restore)
        try writer.insert(EventRecord(queue: queue, revision: 3, kind: .restoreFinished(id: restore.id, count: 0)))
        try writer.append(
            HistoryRecord(transactionKey: record.key, date: time(0), kind: .change, actor: "", detail: ""),
            keeping: 1
        )
        try writer.append(.blank)
        try writer.setSetting("locale", to: "en-US")
        return refund.id
    }

    private static func read(_ reader: any LedgerReader, _ restore: UUID, _ refund: UUID) throws {
        _ = try reader.queue(key: 1)
        _ = try reader.transaction(key: 1)
        _ = try reader.charges(afterKey: 0, limit: 9)
        _ = try reader.restore(restore)
        _ = try reader.events(in: 1, after: 0, limit: 9)
        _ = try reader.subscription(key: 1)
        _ = try reader.refund(refund)
        _ = try reader.history(ofTransaction: 1)
        _ = try reader.lastAudit()
        _ = try reader.settings()
    }
}
