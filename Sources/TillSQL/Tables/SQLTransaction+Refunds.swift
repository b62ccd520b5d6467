package import FoundationEssentials
package import TillEngine
import TillModel

extension SQLTransaction: RefundReader {
    package func refund(_ id: UUID) throws -> RefundRecord? {
        try rows(of: RefundRecord.self, "WHERE id = ?1", [SQLValue(id)]).first
    }

    package func refunds(ofTransaction key: Int64) throws -> [RefundRecord] {
        try rows(of: RefundRecord.self, "WHERE transaction_key = ?1 ORDER BY key", [SQLValue(key)])
    }

    package func refunds(ofTransactions keys: ClosedRange<Int64>) throws -> [RefundRecord] {
        try rows(
            of: RefundRecord.self,
            "WHERE transaction_key BETWEEN ?1 AND ?2 ORDER BY transaction_key, key",
            [SQLValue(keys.lowerBound), SQLValue(keys.upperBound)]
        )
    }

    package func dueRefunds(at date: Date, limit: Int) throws -> [RefundRecord] {
        try rows(
            of: RefundRecord.self,
            "WHERE state = 0 AND due_at <= ?1 ORDER BY due_at, key LIMIT ?2",
            [SQLValue(date), SQLValue(limit: limit)],
            skipsUnreadable: true
        )
    }

    package func refunds(dueAfter date: Date, limit: Int) throws -> [RefundRecord] {
        try rows(
            of: RefundRecord.self,
            "WHERE state = 0 AND due_at > ?1 ORDER BY due_at DESC, key DESC LIMIT ?2",
            [SQLValue(date), SQLValue(limit: limit)],
            skipsUnreadable: true
        )
    }
}

extension SQLTransaction: RefundWriter {
    package func insert(_ refund: RefundRecord) throws {
        try insertRow(refund)
    }

    package func update(_ refund: RefundRecord) throws {
        try updateRow(refund, orThrow: "The ledger has no refund \(refund.id.text).")
    }
}

extension RefundRecord: TableRow {
    package static let table = Table<Self>("refunds", refersToTransactions: true)

    package init(_ coder: inout some ColumnCoder, _ value: Self?) throws {
        let id = try coder.uuid("id", value?.id)
        let transactionKey = try coder.integer("transaction_key", value?.transactionKey)
        let queue = try coder.integer("queue", value?.queue)
        let amount = try coder.integer("amount", value?.amount)
        let keepsMoney = try coder.flag("keeps_money", value?.keepsMoney)
        let currency = try coder.text("currency", value?.currency)
        let reason = try coder.choice("reason", value?.reason)
        let createdAt = try coder.date("created_at", value?.createdAt)
        coder.beginChanging()
        self.init(
            id: id,
            transactionKey: transactionKey,
            queue: queue,
            quantity: try coder.int("quantity", value?.quantity),
            amount: amount,
            keepsMoney: keepsMoney,
            currency: currency,
            reason: reason,
            state: try coder.choice("state", value?.state),
            attempts: try coder.int("attempts", value?.attempts),
            createdAt: createdAt,
            dueAt: try coder.date("due_at", value?.dueAt),
            reference: try coder.textIfPresent("reference", value?.reference)
        )
    }
}
