import FoundationEssentials
import GRDB
import TillEngine
import TillModel

extension SQLiteTransaction: QueueReader {
    func queue(_ name: QueueName) throws -> QueueRecord? {
        try known.queues[name]
            ?? know(
                queues("WHERE application = ?1 AND account = ?2", [SQLValue(name.application), SQLValue(name.account)])
            )
    }

    func queue(key: Int64) throws -> QueueRecord? {
        try known.queues[key] ?? know(queues("WHERE key = ?1", [SQLValue(key)]))
    }

    func queues(afterKey key: Int64, limit: Int) throws -> [QueueRecord] {
        try queues("WHERE key > ?1 ORDER BY key LIMIT ?2", [SQLValue(key), SQLValue(limit: limit)])
    }

    func events(in queue: Int64, after revision: UInt64, limit: Int) throws -> [EventRecord] {
        try events(
            "WHERE t.queue = ?1 AND t.revision > ?2 ORDER BY t.revision LIMIT ?3",
            [SQLValue(queue), SQLValue(revision), SQLValue(limit: limit)]
        )
    }

    func pendingEvents(in queue: Int64, revisions: ClosedRange<UInt64>, limit: Int) throws -> [EventRecord] {
        try events(
            """
            INDEXED BY events_pending
            WHERE t.queue = ?1 AND t.revision BETWEEN ?2 AND ?3 AND t.is_pending = 1 ORDER BY t.revision LIMIT ?4
            """,
            [SQLValue(queue), SQLValue(revisions.lowerBound), SQLValue(revisions.upperBound), SQLValue(limit: limit)]
        )
    }

    private func queues(_ condition: String, _ values: [SQLValue]) throws -> [QueueRecord] {
        let stored = try rows(of: "queues", "\(QueueRecord.selection) \(condition)", values, read: QueueRecord.init)
        return stored.map { known.queues[$0.key] ?? $0 }
    }

    private func know(_ found: [QueueRecord]) -> QueueRecord? {
        found.first.map { record in
            known.queues.insert(record)
            return record
        }
    }

    private func events(_ condition: String, _ values: [SQLValue]) throws -> [EventRecord] {
        try rows(of: "events", "\(EventRecord.selection) \(condition)", values, read: EventRecord.init)
    }
}

extension SQLiteTransaction: QueueWriter {
    func createQueue(_ name: QueueName) throws -> QueueRecord {
        let key = try insert(
            "INSERT INTO queues (application, account) VALUES (?1, ?2)",
            [SQLValue(name.application), SQLValue(name.account)]
        )
        return QueueRecord(key: key, name: name)
    }

    func advanceRevision(ofQueue key: Int64) throws -> UInt64 {
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
        for record in known.queues.takeAdvanced() {
            try run(
                "UPDATE queues SET revision = ?2, began_at = ?3 WHERE key = ?1",
                [SQLValue(record.key), SQLValue(record.revision), SQLValue(record.beganAt)]
            )
        }
    }

    func insert(_ event: EventRecord) throws {
        try run(
            """
            INSERT INTO events (revision, queue, is_pending, kind, storefront_country, storefront_id, restore_id,
                restored_count, error_code, error_message, error_money_moved, error_retry, error_reason,
                error_provider_code, payment_id, product_id, quantity, application_username, request_data,
                simulates_ask_to_buy, discount_id, discount_key_id, discount_nonce, discount_signature,
                discount_timestamp)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22,
                ?23, ?24, ?25)
            """,
            event.values
        )
    }

    func pruneEvents(ofQueue key: Int64, keeping count: Int) throws {
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
        ) { try $0.revision() }
        guard let newest = revisions.first else {
            return
        }
        try run(
            "DELETE FROM events WHERE queue = ?1 AND revision <= ?2 AND is_pending = 0",
            [SQLValue(key), SQLValue(newest)]
        )
        try run("UPDATE queues SET floor = max(floor, ?2) WHERE key = ?1", [SQLValue(key), SQLValue(newest)])
        if var record = known.queues[key] {
            record.floor = max(record.floor, newest)
            known.queues.insert(record)
        }
    }

    func acknowledge(_ revision: UInt64, inQueue key: Int64) throws {
        for var row in try rows(withRevocationPendingIn: key) where row.transaction.revision <= revision {
            row.transaction.isRevocationPending = false
            row.changes.insert(.record)
            known.transactions.insert(row)
        }
        try run(
            """
            UPDATE events INDEXED BY events_pending SET is_pending = 0
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

extension QueueRecord {
    static let selection = "SELECT key, application, account, revision, floor, began_at FROM queues"

    init(_ columns: inout Columns) throws {
        self.init(
            key: try columns.integer(),
            name: QueueName(application: try columns.text(), account: try columns.text()),
            revision: try columns.revision(),
            floor: try columns.revision(),
            beganAt: try columns.dateIfPresent()
        )
    }
}

extension EventRecord {
    static let selection = """
        SELECT t.revision, t.queue, t.is_pending, t.kind, t.storefront_country, t.storefront_id, t.restore_id,
            t.restored_count, \(PaymentError.columns), \(Payment.columns)
        FROM events t
        """

    init(_ columns: inout Columns) throws {
        let revision = try columns.revision()
        let queue = try columns.integer()
        let isPending = try columns.flag()
        self.init(queue: queue, revision: revision, kind: try Kind(&columns), isPending: isPending)
    }

    var values: [SQLValue] {
        [SQLValue(revision), SQLValue(queue), SQLValue(isPending)] + kind.values
    }
}

extension EventRecord.Kind {
    /// The kinds' numbers in the table.
    private enum Number: Int {
        case restoreFinished = 0
        case restoreFailed = 1
        case storePaymentRequested = 2
        case storefrontChanged = 3
    }

    fileprivate init(_ columns: inout Columns) throws {
        switch try columns.value(Number.self) {
        case .storefrontChanged:
            self = .storefrontChanged(Storefront(countryCode: try columns.text(), identifier: try columns.text()))
        case .restoreFinished:
            columns.skip(2)
            self = .restoreFinished(id: try columns.uuid(), count: try columns.int())
        case .restoreFailed:
            columns.skip(2)
            let id = try columns.uuid()
            columns.skip(1)
            guard let error = try PaymentError(ifPresentIn: &columns) else {
                throw columns.unreadable()
            }
            self = .restoreFailed(id: id, error: error)
        case .storePaymentRequested:
            columns.skip(4 + PaymentError.columnCount)
            self = .storePaymentRequested(try Payment(&columns))
        }
    }

    /// The values of the columns from `kind` on.
    fileprivate var values: [SQLValue] {
        switch self {
        case .restoreFinished(let id, let count): Self.values(.restoreFinished, restore: id, count: count)
        case .restoreFailed(let id, let error): Self.values(.restoreFailed, restore: id, error: error)
        case .storePaymentRequested(let payment): Self.values(.storePaymentRequested, payment: payment)
        case .storefrontChanged(let storefront): Self.values(.storefrontChanged, storefront: storefront)
        }
    }

    private static func values(
        _ number: Number,
        storefront: Storefront? = nil,
        restore: UUID? = nil,
        count: Int? = nil,
        error: PaymentError? = nil,
        payment: Payment? = nil
    ) -> [SQLValue] {
        [
            SQLValue(number.rawValue), SQLValue(storefront?.countryCode), SQLValue(storefront?.identifier),
            SQLValue(restore), SQLValue(count),
        ] + PaymentError.values(error) + Payment.values(payment)
    }
}
