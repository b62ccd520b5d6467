import FoundationEssentials
package import TillEngine
import TillModel

extension SQLTransaction: TransactionWriter {
    package func insert(_ transaction: TransactionRecord) throws -> Int64 {
        var inserted = transaction
        inserted.key = transaction.key == 0 ? try newTransactionKey() : transaction.key
        // The database notices an identity that an older row has.
        guard known.transactions[transaction.id] == nil else {
            throw TillError(.alreadyExists, "The ledger has transaction \(transaction.id.text) already.")
        }
        try beginQueue(of: inserted)
        try requireReferences(of: inserted, besidesThoseOf: nil)
        known.transactions.insert(TransactionRow(inserting: inserted))
        return inserted.key
    }

    package func update(_ transaction: TransactionRecord) throws {
        var row = try requireRow(key: transaction.key)
        try requireReferences(of: transaction, besidesThoseOf: row.transaction)
        row.update(transaction)
        known.transactions.insert(row)
    }

    /// Writes the transactions that are kept until the end of the commit or until something reads the table.
    func writeTransactions() throws {
        for var row in known.transactions.takeChanged() {
            try write(&row)
            known.transactions.insert(row)
        }
    }

    private func requireReferences(of record: TransactionRecord, besidesThoseOf old: TransactionRecord?) throws {
        if let original = record.original?.key, original != old?.original?.key {
            try requireTransaction(key: original)
        }
        if let repeated = record.repeats, repeated != old?.repeats, repeated != record.original?.key {
            try requireTransaction(key: repeated)
        }
        if let key = record.term?.subscription, key != old?.term?.subscription, try subscription(key: key) == nil {
            throw TillError(.notFound, "The ledger has no subscription \(key).")
        }
    }

    /// Reads no more than that the row exists: a row's original is seldom needed with it.
    private func requireTransaction(key: Int64) throws {
        guard known.transactions[key] == nil else {
            return
        }
        let found = try rows(of: "transactions", "SELECT key FROM transactions WHERE key = ?1", [SQLValue(key)]) {
            try $0.integer()
        }
        guard !found.isEmpty else {
            throw TillError(.notFound, "The ledger has no transaction \(key).")
        }
    }
}

/// Statements that write rows of transactions and their marks.
extension SQLTransaction {
    /// Inserts or updates the row and its marks, as far as they have changed.
    package func write(_ row: inout TransactionRow) throws {
        let marks = row.marks
        try writeColumns(of: &row)
        try write(marks, of: row)
        row.storedMarks = marks
        row.changes = []
    }

    private func writeColumns(of row: inout TransactionRow) throws {
        let values = try values(of: &row)
        let record = row.transaction
        guard !row.isStored else {
            try run(Self.updates[row.changes.rawValue], [SQLValue(record.key)] + values)
            return
        }
        let fixed = [
            SQLValue(record.key), SQLValue(record.queue), SQLValue(record.id), SQLValue(record.payment.productID),
            SQLValue(record.createdAt),
        ]
        try run(Self.insertion, fixed + values)
    }

    /// The values of the columns that the row's changes are about, in the order of ``columns(of:)``.
    private func values(of row: inout TransactionRow) throws -> [SQLValue] {
        var values: [SQLValue] = []
        if row.changes.contains(.record) {
            let queue = row.transaction.queue
            let detail = try row.encodeDetail { try name(ofQueue: queue) }
            let columns = TransactionColumns(row.transaction)
            values += row.derivedValues
            values += [
                SQLValue(columns.deadline), SQLValue(columns.revision), SQLValue(columns.state.rawValue),
                SQLValue(columns.amount), SQLValue(columns.currency), SQLValue(detail),
            ]
        }
        if row.changes.contains(.history) {
            values.append(SQLValue(row.history.bytes))
        }
        if row.changes.contains(.receipt) {
            let receipt = row.transaction.receipt
            values.append(SQLValue(try receipt.map { try receiptHeaderKey(of: $0.header) }))
            values.append(SQLValue(receipt.map { PackedReceipt.bytes(of: $0.body) }))
        }
        return values
    }

    private static func columns(of changes: TransactionRow.Changes) -> [String] {
        var columns: [String] = []
        if changes.contains(.record) {
            columns += [
                "place", "charge_state", "charge_due_at", "deadline", "revision", "state", "amount", "currency",
                "detail",
            ]
        }
        if changes.contains(.history) {
            columns.append("history")
        }
        if changes.contains(.receipt) {
            columns += ["receipt_header", "receipt"]
        }
        return columns
    }

    private static let insertion: String = {
        let all = TransactionRow.Changes([.record, .history, .receipt])
        let columns = ["key", "queue", "id", "product_id", "created_at"] + SQLTransaction.columns(of: all)
        let parameters = (1...columns.count).map { "?\($0)" }
        return """
            INSERT INTO transactions (\(columns.joined(separator: ", ")))
            VALUES (\(parameters.joined(separator: ", ")))
            """
    }()

    /// The statement for each set of changes, at the set's raw value.
    private static let updates: [String] = (0..<8).map { changes in
        let assignments = SQLTransaction.columns(of: TransactionRow.Changes(rawValue: changes)).enumerated().map {
            "\($0.element) = ?\($0.offset + 2)"
        }
        return "UPDATE transactions SET \(assignments.joined(separator: ", ")) WHERE key = ?1"
    }

    /// Writes the difference to the marks that the ledger has of the row.
    private func write(_ marks: [Mark], of row: TransactionRow) throws {
        let stored = row.storedMarks ?? []
        guard !marks.isEmpty || !stored.isEmpty else {
            return
        }
        let key = row.transaction.key
        for mark in stored where !marks.contains(mark) {
            try run("DELETE FROM marks WHERE kind = ?1 AND owner = ?2 AND name = ?3 AND key = ?4", mark.values(key))
        }
        for mark in marks where !stored.contains(mark) {
            try run("INSERT INTO marks (kind, owner, name, key) VALUES (?1, ?2, ?3, ?4)", mark.values(key))
        }
    }
}

extension TransactionRow {
    /// The values of the columns `place`, `charge_state` and `charge_due_at`, which follow from the others and by which the
    /// row is found.
    var derivedValues: [SQLValue] {
        [
            SQLValue(Place(transaction).rawValue), SQLValue(charge?.state.rawValue),
            SQLValue(charge?.state == .open ? charge?.dueAt : nil),
        ]
    }
}

extension Mark {
    /// The values of a mark of the transaction with the key.
    func values(_ key: Int64) -> [SQLValue] {
        [SQLValue(kind.rawValue), SQLValue(owner), SQLValue(name), SQLValue(key)]
    }
}
