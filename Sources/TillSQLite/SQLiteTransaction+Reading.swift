import FoundationEssentials
import TillEngine

extension SQLiteTransaction: LedgerReader {
    func queue(_ name: QueueName) throws -> QueueRecord? {
        try queues("WHERE application = ?1 AND account = ?2", [SQLValue(name.application), SQLValue(name.account)])
            .first
    }

    func queue(key: Int64) throws -> QueueRecord? {
        try queues("WHERE key = ?1", [SQLValue(key)]).first
    }

    func transaction(_ id: UUID) throws -> TransactionRecord? {
        try transactions("WHERE t.id = ?1", [SQLValue(id)]).first
    }

    func transaction(key: Int64) throws -> TransactionRecord? {
        try transactions("WHERE t.key = ?1", [SQLValue(key)]).first
    }

    func transactions(in queue: Int64, afterKey key: Int64, includeFinished: Bool, limit: Int) throws
        -> [TransactionRecord]
    {
        try transactions(
            includeFinished
                ? "WHERE t.queue = ?1 AND t.key > ?2 ORDER BY t.key LIMIT ?3"
                : "WHERE t.queue = ?1 AND t.key > ?2 AND t.finished_at IS NULL ORDER BY t.key LIMIT ?3",
            [SQLValue(queue), SQLValue(key), SQLValue(limit: limit)]
        )
    }

    func transactions(in queue: Int64, changedAfter revision: UInt64, limit: Int) throws -> [TransactionRecord] {
        try transactions(
            "WHERE t.queue = ?1 AND t.revision > ?2 ORDER BY t.revision LIMIT ?3",
            [SQLValue(queue), SQLValue(revision), SQLValue(limit: limit)]
        )
    }

    func unfinishedTransactions(in queue: Int64, revisions: ClosedRange<UInt64>, limit: Int) throws
        -> [TransactionRecord]
    {
        try transactions(
            """
            WHERE t.queue = ?1 AND t.revision BETWEEN ?2 AND ?3 AND t.finished_at IS NULL
            ORDER BY t.revision LIMIT ?4
            """,
            [SQLValue(queue), SQLValue(revisions.lowerBound), SQLValue(revisions.upperBound), SQLValue(limit: limit)]
        )
    }

    func entitlement(to productID: String, in queue: Int64) throws -> TransactionRecord? {
        try transactions(
            "WHERE t.queue = ?1 AND t.product_id = ?2 AND t.is_entitlement = 1 ORDER BY t.key LIMIT 1",
            [SQLValue(queue), SQLValue(productID)]
        ).first
    }

    func restorableTransactions(in queue: Int64, afterKey key: Int64, applicationUsername: String?, limit: Int) throws
        -> [TransactionRecord]
    {
        try transactions(
            """
            WHERE t.queue = ?1 AND t.key > ?2 AND t.is_entitlement = 1 AND t.finished_at IS NOT NULL
                AND (?3 IS NULL OR t.application_username = ?3)
            ORDER BY t.key LIMIT ?4
            """,
            [SQLValue(queue), SQLValue(key), SQLValue(applicationUsername), SQLValue(limit: limit)]
        )
    }

    func unfinishedRestoredTransaction(ofOriginal key: Int64) throws -> TransactionRecord? {
        try transactions(
            "WHERE t.original_key = ?1 AND t.state = 3 AND t.finished_at IS NULL ORDER BY t.key LIMIT 1",
            [SQLValue(key)]
        ).first
    }

    private func queues(_ condition: String, _ values: [SQLValue]) throws -> [QueueRecord] {
        try rows(of: "queues", "\(QueueRecord.selection) \(condition)", values, read: QueueRecord.init)
    }

    private func transactions(_ condition: String, _ values: [SQLValue]) throws -> [TransactionRecord] {
        try rows(
            of: "transactions",
            "\(TransactionRecord.selection) \(condition)",
            values,
            read: TransactionRecord.init
        )
    }
}
