import FoundationEssentials
package import TillEngine
import TillModel

extension SQLTransaction: QueueReader {
    package func queue(_ name: QueueName) throws -> QueueRecord? {
        try known.queues[name]
            ?? know(
                queues("WHERE application = ?1 AND account = ?2", [SQLValue(name.application), SQLValue(name.account)])
            )
    }

    package func queue(key: Int64) throws -> QueueRecord? {
        try known.queues[key] ?? know(queues("WHERE key = ?1", [SQLValue(key)]))
    }

    package func queues(afterKey key: Int64, limit: Int) throws -> [QueueRecord] {
        try queues("WHERE key > ?1 ORDER BY key LIMIT ?2", [SQLValue(key), SQLValue(limit: limit)])
    }

    package func events(in queue: Int64, after revision: UInt64, limit: Int) throws -> [EventRecord] {
        try rows(
            of: EventRecord.self,
            "WHERE queue = ?1 AND revision > ?2 ORDER BY revision LIMIT ?3",
            [SQLValue(queue), SQLValue(revision), SQLValue(limit: limit)]
        )
    }

    package func pendingEvents(in queue: Int64, revisions: ClosedRange<UInt64>, limit: Int) throws -> [EventRecord] {
        try rows(
            of: EventRecord.self,
            """
            \(dialect.indexed(by: "events_pending"))
            WHERE queue = ?1 AND revision BETWEEN ?2 AND ?3 AND is_pending = 1 ORDER BY revision LIMIT ?4
            """,
            [SQLValue(queue), SQLValue(revisions.lowerBound), SQLValue(revisions.upperBound), SQLValue(limit: limit)]
        )
    }

    /// Reads the queues that are not known yet, with ``finishReads()``.
    func readLater(_ names: [QueueName]) throws {
        let unknown = Set(names).filter { known.queues[$0] == nil }
        guard !unknown.isEmpty else {
            return
        }
        let pairs = try JSONEncoder().encode(unknown.map { [$0.application, $0.account] })
        try readLater(
            """
            WHERE (application, account) IN (
                SELECT pair ->> 0, pair ->> 1 FROM json_array_elements(CAST(?1 AS json)) AS pair
            )
            """,
            String(decoding: pairs, as: UTF8.self)
        )
    }

    /// Reads the queues of known transactions that are not known yet, with ``finishReads()``.
    func readQueuesLater(of transactions: [TransactionReference]) throws {
        let keys = Set(transactions.compactMap { known.transactions[$0]?.transaction.queue })
        let unknown = keys.filter { known.queues[$0] == nil }
        if !unknown.isEmpty {
            let list = unknown.map(String.init).joined(separator: ",")
            try readLater("WHERE key = ANY (CAST(string_to_array(?1, ',') AS bigint[]))", list)
        }
    }

    private func readLater(_ condition: String, _ list: String) throws {
        let table = QueueRecord.table
        try readLater(of: table.name, "\(table.selection) \(condition)", [SQLValue(list)]) { [self] columns in
            let record = try QueueRecord(&columns, nil)
            // Databases compare names by their bytes, so a known one may have been asked for.
            known.queues.insert(known.queues[record.key] ?? record)
        }
    }

    private func queues(_ condition: String, _ values: [SQLValue]) throws -> [QueueRecord] {
        let stored = try rows(of: QueueRecord.self, condition, values)
        return stored.map { known.queues[$0.key] ?? $0 }
    }

    private func know(_ found: [QueueRecord]) -> QueueRecord? {
        found.first.map { record in
            known.queues.insert(record)
            return record
        }
    }
}

extension SQLTransaction: QueueWriter {
    package func createQueue(_ name: QueueName) throws -> QueueRecord {
        var record = QueueRecord(key: 0, name: name)
        record.key = try insertKeyedRow(record)
        return record
    }

    package func advanceRevision(ofQueue key: Int64) throws -> UInt64 {
        var record = try requireQueue(key)
        guard record.revision < Int64.max else {
            throw TillError(.dataLoss, "The ledger's queue \(key) has the highest revision that there is.")
        }
        record.revision += 1
        known.queues.advance(record)
        return record.revision
    }

    /// Notes when the queue of a transaction that is inserted began.
    ///
    /// - Throws: `notFound` when the ledger does not have the queue.
    func beginQueue(of transaction: TransactionRecord) throws {
        var record = try requireQueue(transaction.queue)
        if record.beganAt == nil {
            record.beganAt = transaction.createdAt
            known.queues.advance(record)
        }
    }

    /// The name of a queue that a transaction refers to.
    ///
    /// - Throws: `dataLoss` when the ledger does not have the queue.
    func name(ofQueue key: Int64) throws -> QueueName {
        guard let record = try queue(key: key) else {
            throw TillError(.dataLoss, "The ledger has lost the queue \(key), to which transactions belong.")
        }
        return record.name
    }

    private func requireQueue(_ key: Int64) throws -> QueueRecord {
        guard let record = try queue(key: key) else {
            throw TillError(.notFound, "The ledger has no queue \(key).")
        }
        return record
    }

    /// Writes the queues' changes that are kept until the end of the commit.
    func writeQueues() throws {
        let values = known.queues.takeAdvanced().flatMap { record in
            [SQLValue(record.key), SQLValue(record.revision), SQLValue(record.beganAt)]
        }
        try write(values, with: Self.advance)
    }

    private static let advance = RowStatement.update(of: "queues", key: "key", ["revision", "began_at"])

    package func insert(_ event: EventRecord) throws {
        try insertRow(event)
    }

    package func pruneEvents(ofQueue key: Int64, keeping count: Int) throws {
        let revisions = try rows(
            of: "events",
            """
            SELECT revision FROM events
            WHERE queue = ?1 AND is_pending = 0 AND revision <= (
                SELECT revision FROM events WHERE queue = ?1 ORDER BY revision DESC LIMIT 1 OFFSET ?2
            )
            ORDER BY revision DESC LIMIT 1
            """,
            [SQLValue(key), SQLValue(limit: count)]
        ) { try $0.revision("revision", nil) }
        guard let newest = revisions.first else {
            return
        }
        try run(
            "DELETE FROM events WHERE queue = ?1 AND revision <= ?2 AND is_pending = 0",
            [SQLValue(key), SQLValue(newest)]
        )
        try run("UPDATE queues SET floor = ?2 WHERE key = ?1 AND floor < ?2", [SQLValue(key), SQLValue(newest)])
        if var record = known.queues[key] {
            record.floor = max(record.floor, newest)
            known.queues.insert(record)
        }
    }

    package func acknowledge(_ revision: UInt64, inQueue key: Int64) throws {
        for var row in try rows(withRevocationPendingIn: key) where row.transaction.revision <= revision {
            row.transaction.isRevocationPending = false
            row.changes.insert(.record)
            known.transactions.insert(row)
        }
        try run(
            """
            UPDATE events \(dialect.indexed(by: "events_pending")) SET is_pending = 0
            WHERE queue = ?1 AND revision <= ?2 AND is_pending = 1
            """,
            [SQLValue(key), SQLValue(revision)]
        )
    }

    private func rows(withRevocationPendingIn queue: Int64) throws -> [TransactionRow] {
        try writeTransactions()
        let keys = try rows(
            of: "marks",
            "SELECT key FROM marks WHERE kind = \(Mark.Kind.revocationPending.rawValue) AND owner = ?1",
            [SQLValue(queue)]
        ) { try $0.integer() }
        return try keys.compactMap(row(key:))
    }
}

extension QueueRecord: TableRow {
    package static let table = Table<Self>("queues", givesKeys: true)

    package init(_ coder: inout some ColumnCoder, _ value: Self?) throws {
        self.init(
            key: try coder.integer("key", value?.key),
            name: QueueName(
                application: try coder.text("application", value?.name.application),
                account: try coder.text("account", value?.name.account)
            ),
            revision: try coder.revision("revision", value?.revision),
            floor: try coder.revision("floor", value?.floor),
            beganAt: try coder.dateIfPresent("began_at", value?.beganAt)
        )
    }
}

extension EventRecord: TableRow {
    package static let table = Table<Self>("events")

    package init(_ coder: inout some ColumnCoder, _ value: Self?) throws {
        let revision = try coder.revision("revision", value?.revision)
        let queue = try coder.integer("queue", value?.queue)
        let isPending = try coder.flag("is_pending", value?.isPending)
        self.init(queue: queue, revision: revision, kind: try Kind(&coder, value?.kind), isPending: isPending)
    }
}

extension EventRecord.Kind {
    /// The kinds' numbers in the table.
    private enum Number: Int, CaseIterable {
        case restoreFinished = 0
        case restoreFailed = 1
        case storePaymentRequested = 2
        case storefrontChanged = 3
    }

    /// The values of a kind, each in columns of its own.
    private struct Values {
        var number: Number
        var storefront: Storefront?
        var restore: UUID?
        var count: Int?
        var error: PaymentError?
        var payment: Payment?
    }

    private var values: Values {
        switch self {
        case .restoreFinished(let id, let count): Values(number: .restoreFinished, restore: id, count: count)
        case .restoreFailed(let id, let error): Values(number: .restoreFailed, restore: id, error: error)
        case .storePaymentRequested(let payment): Values(number: .storePaymentRequested, payment: payment)
        case .storefrontChanged(let storefront): Values(number: .storefrontChanged, storefront: storefront)
        }
    }

    fileprivate init(_ coder: inout some ColumnCoder, _ value: Self?) throws {
        let values = value?.values
        let number = try coder.choice("kind", values?.number)
        let country = try coder.textIfPresent("storefront_country", values?.storefront?.countryCode)
        let storefront = try coder.textIfPresent("storefront_id", values?.storefront?.identifier)
        let restore = try coder.uuidIfPresent("restore_id", values?.restore)
        let count = try coder.intIfPresent("restored_count", values?.count)
        let error = try PaymentError.describe(&coder, values?.error)
        let payment = try Payment.describe(&coder, values?.payment)
        switch number {
        case .restoreFinished:
            self = .restoreFinished(
                id: try coder.required(restore, of: "restore_id"),
                count: try coder.required(count, of: "restored_count")
            )
        case .restoreFailed:
            self = .restoreFailed(
                id: try coder.required(restore, of: "restore_id"),
                error: try coder.required(error, of: "error_code")
            )
        case .storePaymentRequested:
            self = .storePaymentRequested(try coder.required(payment, of: "payment_id"))
        case .storefrontChanged:
            self = .storefrontChanged(
                Storefront(
                    countryCode: try coder.required(country, of: "storefront_country"),
                    identifier: try coder.required(storefront, of: "storefront_id")
                )
            )
        }
    }
}
