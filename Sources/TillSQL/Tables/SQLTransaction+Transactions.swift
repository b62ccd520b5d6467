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
        if row.transaction.finishedAt == nil, transaction.finishedAt != nil {
            finishes?.add(transaction)
        }
        row.update(transaction)
        known.transactions.insert(row)
    }

    package func prune(_ key: Int64) throws {
        var row = try requireRow(key: key)
        row.prune()
        known.transactions.insert(row)
    }

    package func willRead(_ transactions: [TransactionReference], of queues: [QueueName]) throws {
        switch dialect {
        case .sqlite: break
        case .postgresql:
            try readLater(queues)
            try readLater(transactions)
            try readHighestKeyLater()
            try finishReads()
            try readQueuesLater(of: transactions)
            try finishReads()
            try reserveAhead(transactions)
        }
    }

    /// Writes the transactions that are kept until the end of the commit or until something reads the table.
    func writeTransactions() throws {
        guard known.transactions.hasChanged else {
            return
        }
        var writes = TransactionWrites()
        // Apart from the other known rows, which are read while these are written.
        var transactions = known.transactions.take()
        defer { known.transactions = transactions }
        try transactions.writeChanged { try add(&$0, to: &writes) }
        try writes.run(on: self)
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
    /// Inserts the rows, as far as they are not stored, or updates them and their marks, as far as they have changed.
    package func write(_ rows: [TransactionRow]) throws {
        var writes = TransactionWrites()
        for var row in rows {
            try add(&row, to: &writes)
        }
        try writes.run(on: self)
    }

    /// Adds what has changed of the row, which then is as it will be stored.
    private func add(_ row: inout TransactionRow, to writes: inout TransactionWrites) throws {
        let changes = row.changes
        let marks = row.marks
        writes.add(marks, of: row)
        if row.isStored {
            writes.updates[changes.rawValue].append(SQLValue(row.transaction.key))
            try appendValues(of: &row, to: &writes.updates[changes.rawValue])
        } else {
            writes.insertions += [
                SQLValue(row.transaction.key), SQLValue(row.transaction.queue), SQLValue(row.transaction.id),
                SQLValue(row.transaction.payment.productID), SQLValue(row.transaction.createdAt),
            ]
            try appendValues(of: &row, to: &writes.insertions)
        }
        row.storedMarks = marks
        row.changes = []
    }

    /// Appends the values of the columns that the row's changes are about, in the order of their statement's columns.
    private func appendValues(of row: inout TransactionRow, to values: inout [SQLValue]) throws {
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
    }
}

/// The values to write of several transactions, by the statements that write them, one row after the other.
private struct TransactionWrites {
    var insertions: [SQLValue] = []
    /// By the raw value of what has changed.
    var updates: [[SQLValue]] = Array(repeating: [], count: Self.updating.count)
    private var removedMarks: [SQLValue] = []
    private var addedMarks: [SQLValue] = []

    /// Adds the difference to the marks that the ledger has of the row.
    mutating func add(_ marks: [Mark], of row: TransactionRow) {
        let stored = row.storedMarks ?? []
        let key = row.transaction.key
        for mark in stored where !marks.contains(mark) {
            removedMarks += mark.values(key)
        }
        for mark in marks where !stored.contains(mark) {
            addedMarks += mark.values(key)
        }
    }

    func run(on transaction: SQLTransaction) throws {
        try transaction.write(insertions, with: Self.insertion)
        for (rows, statement) in zip(updates, Self.updating) {
            try transaction.write(rows, with: statement)
        }
        try transaction.write(removedMarks, with: Self.removal)
        try transaction.write(addedMarks, with: Self.addition)
    }

    private static let insertion: RowStatement = {
        let all = TransactionRow.Changes([.record, .history, .receipt])
        return .insertion(
            into: "transactions",
            ["key", "queue", "id", "product_id", "created_at"] + columns(of: all)
        )
    }()

    /// The statement for each set of changes, at the set's raw value.
    private static let updating: [RowStatement] = (0..<8).map { changes in
        .update(of: "transactions", key: "key", columns(of: TransactionRow.Changes(rawValue: changes)))
    }

    private static let removal = RowStatement.deletion(from: "marks", markColumns)
    private static let addition = RowStatement.insertion(into: "marks", markColumns)
    private static let markColumns = ["kind", "owner", "name", "key"]

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
