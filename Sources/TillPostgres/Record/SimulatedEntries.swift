import FoundationEssentials
import TillEngine
import TillModel
import TillProviders
import TillSQL

#if MUTANTS
    import Mutants
#endif

extension PostgresConnection {
    /// Sets its lock apart from others: `Simu` in ASCII.
    private static let recordLockClass = 0x5369_6D75

    /// The rows of the simulated provider's record.
    var simulatedEntries: SimulatedEntries {
        SimulatedEntries(self)
    }

    /// Runs `body` in a transaction, while no other host records anything: rows are committed in the order of their numbers.
    func inSimulatedRecord<Value>(_ body: (SimulatedEntries) throws -> Value) throws -> Value {
        // Each query sees what was committed until it began, after the wait for the lock.
        try inTransaction("BEGIN ISOLATION LEVEL READ COMMITTED") {
            #if MUTANTS
                if Mutant.recordNotLocked.isPlanted {
                    return try body(simulatedEntries)
                }
            #endif
            try enqueue("SELECT pg_advisory_xact_lock(\(Self.recordLockClass), hashtext(current_schema()))")
            return try body(simulatedEntries)
        }
    }
}

/// The rows of the simulated provider's record, within a transaction or each read for itself.
struct SimulatedEntries {
    private static let table = "simulated_entries"

    private let connection: any SQLConnection

    init(_ connection: any SQLConnection) {
        self.connection = connection
    }

    /// Whether hosts that share the ledger have recorded nothing.
    func isEmpty() throws -> Bool {
        try entries("ORDER BY number LIMIT 1").isEmpty
    }

    /// All entries, in the order of the record, as those of the following methods.
    func all() throws -> [SimulatedEntry] {
        try entries("ORDER BY number")
    }

    func ofPayments(_ ids: [UUID]) throws -> [SimulatedEntry] {
        try entries(
            "WHERE payment_id = ANY(CAST(string_to_array(?1, ',') AS uuid[])) ORDER BY number",
            SQLValue(ids.map(\.text).joined(separator: ","))
        )
    }

    func ofRefund(_ id: UUID) throws -> [SimulatedEntry] {
        try entries("WHERE refund_id = ?1 ORDER BY number", SQLValue(id))
    }

    /// A page of the charges after the one with that number, each with what was refunded of its payment: refunds count for a
    /// payment's first charge.
    func charges(after number: Int64, limit: Int) throws -> ProviderRecordPage {
        let sql = """
            SELECT c.number, c.payment_id, c.amount, c.currency, c.reference,
                CASE WHEN EXISTS (SELECT FROM simulated_entries f
                    WHERE f.payment_id = c.payment_id AND f.refund_id IS NULL AND f.number < c.number) THEN 0
                ELSE coalesce((SELECT CAST(sum(r.amount) AS bigint) FROM simulated_entries r
                    WHERE r.payment_id = c.payment_id AND r.refund_id IS NOT NULL), 0) END
            FROM simulated_entries c WHERE c.refund_id IS NULL AND c.number > ?1 ORDER BY c.number LIMIT ?2
            """
        var last: Int64 = 0
        let charges = try rows(sql, [.integer(number), SQLValue(limit: limit)]) { columns in
            last = try columns.integer()
            return ProviderCharge(
                paymentID: try columns.uuid("payment_id", nil),
                amount: try columns.integer(),
                currency: try columns.text(),
                reference: try columns.text(),
                refunded: try columns.integer()
            )
        }
        return ProviderRecordPage(charges: charges, next: charges.count < limit ? nil : String(last))
    }

    func add(_ entries: [SimulatedEntry]) throws {
        try SQLTransaction(connection).write(entries.flatMap(\.values), with: SimulatedEntry.insertion)
    }

    func addMissing(_ entries: [SimulatedEntry]) throws {
        try add(SimulatedEntry.missing(of: entries, in: ofPayments(entries.map(\.paymentID))))
    }

    private func entries(_ condition: String, _ values: SQLValue...) throws -> [SimulatedEntry] {
        let columns = SimulatedEntry.columns.joined(separator: ", ")
        return try rows("SELECT number, \(columns) FROM \(Self.table) \(condition)", values) { columns in
            _ = try columns.integer()
            return try SimulatedEntry(&columns)
        }
    }

    private func rows<Value>(_ sql: String, _ values: [SQLValue], _ read: (inout Columns) throws -> Value) throws
        -> [Value]
    {
        try SQLTransaction(connection).rows(of: Self.table, sql, values, read: read)
    }
}

extension SimulatedEntry {
    fileprivate static let columns = [
        "payment_id", "refund_id", "amount", "currency", "reference", "recorded_at", "application", "account",
        "product_id", "quantity",
    ]
    fileprivate static let insertion = RowStatement.insertion(into: "simulated_entries", columns)

    fileprivate var values: [SQLValue] {
        switch self {
        case .charge(let charge):
            [
                .uuid(charge.paymentID), .null, .integer(charge.amount), .text(charge.currency),
                .text(charge.reference),
                SQLValue(charge.chargedAt), .text(charge.application), .text(charge.account), .text(charge.productID),
                SQLValue(charge.quantity),
            ]
        case .refund(let refund):
            [
                .uuid(refund.paymentID), .uuid(refund.refundID), .integer(refund.amount), .text(refund.currency),
                .text(refund.reference), .integer(refund.refundedAt), .null, .null, .null, .null,
            ]
        }
    }

    fileprivate init(_ columns: inout Columns) throws {
        let paymentID = try columns.uuid("payment_id", nil)
        let refundID = try columns.uuidIfPresent()
        let amount = try columns.integer()
        let currency = try columns.text()
        let reference = try columns.text()
        let date = try columns.integerIfPresent()
        guard let refundID else {
            self = .charge(
                SimulatedCharge(
                    paymentID: paymentID,
                    application: try columns.text(),
                    account: try columns.text(),
                    productID: try columns.text(),
                    quantity: try columns.int("quantity", nil),
                    amount: amount,
                    currency: currency,
                    reference: reference,
                    chargedAt: date
                )
            )
            return
        }
        self = .refund(
            SimulatedRefund(
                refundID: refundID,
                paymentID: paymentID,
                amount: amount,
                currency: currency,
                reference: reference,
                refundedAt: try columns.required(date, of: "recorded_at")
            )
        )
    }
}
