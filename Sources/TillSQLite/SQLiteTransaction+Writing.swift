import GRDB
import TillEngine
import TillModel

extension SQLiteTransaction: LedgerWriter {
    func createQueue(_ name: QueueName) throws -> QueueRecord {
        try run(
            "INSERT INTO queues (application, account) VALUES (?1, ?2)",
            [SQLValue(name.application), SQLValue(name.account)]
        )
        return QueueRecord(key: database.lastInsertedRowID, name: name)
    }

    func advanceRevision(ofQueue key: Int64) throws -> UInt64 {
        let revisions = try rows(
            of: "queues",
            "UPDATE queues SET revision = revision + 1 WHERE key = ?1 RETURNING revision",
            [SQLValue(key)]
        ) { try $0.revision() }
        guard let revision = revisions.first else {
            throw TillError(.notFound, "The ledger has no queue \(key).")
        }
        return revision
    }

    func insert(_ transaction: TransactionRecord) throws -> Int64 {
        try run(
            Self.insertTransaction,
            [SQLValue(highestKey.value), SQLValue(transaction.queue), SQLValue(transaction.id)]
                + transaction.payment.values + transaction.changingValues
        )
        let key = database.lastInsertedRowID
        highestKey.raise(to: key)
        return key
    }

    func update(_ transaction: TransactionRecord) throws {
        try change(
            """
            UPDATE transactions SET state = ?1, revision = ?2, created_at = ?3, finished_at = ?4, error_code = ?5,
                error_message = ?6, error_money_moved = ?7, error_retry = ?8, error_provider_code = ?9,
                is_entitlement = ?10, original_key = ?11
            WHERE key = ?12
            """,
            transaction.changingValues + [SQLValue(transaction.key)],
            orThrow: "The ledger has no transaction \(transaction.key)."
        )
    }

    func insert(_ charge: ChargeRecord) throws {
        try run(
            """
            INSERT INTO charges (transaction_key, queue, payment_id, application, account, product_id, quantity, amount,
                currency, state, attempts, created_at, due_at, reference)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)
            """,
            charge.values
        )
    }

    func update(_ charge: ChargeRecord) throws {
        try change(
            "UPDATE charges SET state = ?1, attempts = ?2, due_at = ?3, reference = ?4 WHERE transaction_key = ?5",
            [
                SQLValue(charge.state.rawValue), SQLValue(charge.attempts), SQLValue(charge.dueAt),
                SQLValue(charge.reference), SQLValue(charge.transactionKey),
            ],
            orThrow: "Transaction \(charge.transactionKey) has no charge."
        )
    }

    func insert(_ restore: RestoreRecord) throws {
        try run(
            """
            INSERT INTO restores (id, queue, application_username, state, revision, cursor, count, created_at, deadline)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
            """,
            restore.values
        )
    }

    func update(_ restore: RestoreRecord) throws {
        try change(
            "UPDATE restores SET state = ?1, cursor = ?2, count = ?3 WHERE id = ?4",
            [
                SQLValue(restore.state.rawValue), SQLValue(restore.cursor), SQLValue(restore.count),
                SQLValue(restore.id),
            ],
            orThrow: "The ledger has no restore \(restore.id.text)."
        )
    }

    func insert(_ event: EventRecord) throws {
        try run(
            """
            INSERT INTO events (revision, queue, restore_id, restored_count, error_code, error_message,
                error_money_moved, error_retry, error_provider_code)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
            """,
            event.values
        )
    }

    func pruneEvents(ofQueue key: Int64, keeping count: Int) throws {
        let revisions = try rows(
            of: "events",
            "SELECT revision FROM events WHERE queue = ?1 ORDER BY revision DESC LIMIT 1 OFFSET ?2",
            [SQLValue(key), SQLValue(limit: count)]
        ) { try $0.revision() }
        guard let newest = revisions.first else {
            return
        }
        try run("DELETE FROM events WHERE queue = ?1 AND revision <= ?2", [SQLValue(key), SQLValue(newest)])
        try run("UPDATE queues SET floor = max(floor, ?2) WHERE key = ?1", [SQLValue(key), SQLValue(newest)])
    }

    /// The new key is above all that are stored or were stored, and above all that this process ever gave.
    private static let insertTransaction = """
        INSERT INTO transactions (key, queue, id, payment_id, product_id, quantity, application_username, request_data,
            simulates_ask_to_buy, discount_id, discount_key_id, discount_nonce, discount_signature, discount_timestamp,
            state, revision, created_at, finished_at, error_code, error_message, error_money_moved, error_retry,
            error_provider_code, is_entitlement, original_key)
        VALUES (
            1 + max(?1, coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'transactions'), 0)),
            ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22, ?23, ?24,
            ?25)
        """
}
