import FoundationEssentials
import TillEngine
import TillModel

extension SQLiteTransaction: TransactionReader {
    func transaction(_ id: UUID) throws -> TransactionRecord? {
        try know(transactions(sql: Self.selectionByID, [SQLValue(id)]))
    }

    func transactionKey(_ id: UUID) throws -> Int64? {
        try rows(of: "transactions", "SELECT key FROM transactions WHERE id = ?1", [SQLValue(id)]) { columns in
            try columns.integer()
        }.first
    }

    func transaction(key: Int64) throws -> TransactionRecord? {
        try know(transactions(sql: Self.selectionByKey, [SQLValue(key)]))
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

    /// Rows of the queue that are not returned are skipped without being unpacked.
    func receiptTransactions(in queue: Int64, beforeKey key: Int64, limit: Int) throws -> [TransactionRecord] {
        try transactions(
            """
            WHERE t.queue = ?1 AND t.key < ?2 AND t.state = 1
                AND (t.finished_at IS NULL OR t.subscription_key IS NOT NULL
                    OR t.product_type IS NOT 0 AND t.original_key IS NULL)
            ORDER BY t.key DESC LIMIT ?3
            """,
            [SQLValue(queue), SQLValue(key), SQLValue(limit: limit)],
            by: "transactions_by_key"
        )
    }

    func transactions(in queue: Int64, changedAfter revision: UInt64, limit: Int) throws -> [TransactionRecord] {
        try transactions(
            "WHERE t.queue = ?1 AND t.revision > ?2 ORDER BY t.revision LIMIT ?3",
            [SQLValue(queue), SQLValue(revision), SQLValue(limit: limit)]
        )
    }

    func transactions(matching filter: TransactionFilter, afterKey key: Int64, limit: Int) throws
        -> [TransactionRecord]
    {
        let found = try FilterQuery.all(filter, afterKey: key, limit: limit).flatMap {
            try transactions($0.sql, $0.values)
        }
        return Array(found.sorted { $0.key < $1.key }.prefix(max(0, limit)))
    }

    func deliverableTransactions(in queue: Int64, revisions: ClosedRange<UInt64>, limit: Int) throws
        -> [TransactionRecord]
    {
        try transactions(
            """
            WHERE t.queue = ?1 AND t.revision BETWEEN ?2 AND ?3
                AND (t.finished_at IS NULL OR t.is_revocation_pending = 1)
            ORDER BY t.revision LIMIT ?4
            """,
            [SQLValue(queue), SQLValue(revisions.lowerBound), SQLValue(revisions.upperBound), SQLValue(limit: limit)]
        )
    }

    func unfinishedRestoredTransaction(of purchase: TransactionRecord) throws -> TransactionRecord? {
        try transactions(
            """
            WHERE t.original_key = ?1 AND t.state = 3 AND t.finished_at IS NULL AND t.term_start IS ?2
            ORDER BY t.key LIMIT 1
            """,
            [SQLValue(purchase.asOriginal.key), SQLValue(purchase.term?.start)]
        ).first
    }

    func unfinishedRenewals(ofSubscription key: Int64, limit: Int) throws -> [TransactionRecord] {
        try transactions(
            """
            WHERE t.subscription_key = ?1 AND t.state = 1 AND t.finished_at IS NULL AND t.term_is_renewal = 1
                AND t.revocation_date IS NULL
            ORDER BY t.key LIMIT ?2
            """,
            [SQLValue(key), SQLValue(limit: limit)]
        )
    }

    func terms(ofSubscription key: Int64, afterKey: Int64, limit: Int) throws -> [TransactionRecord] {
        try transactions(
            "WHERE t.subscription_key = ?1 AND t.state = 1 AND t.key > ?2 ORDER BY t.key LIMIT ?3",
            [SQLValue(key), SQLValue(afterKey), SQLValue(limit: limit)]
        )
    }

    /// - Parameter index: The index to read by, where SQLite would choose a worse one.
    func transactions(
        _ condition: String,
        _ values: [SQLValue],
        by index: String? = nil,
        skipsUnreadable: Bool = false
    ) throws -> [TransactionRecord] {
        let source = index.map { "transactions t INDEXED BY \($0)" } ?? "transactions t"
        let sql = "\(TransactionRecord.selection(from: source)) \(condition)"
        return try transactions(sql: sql, values, skipsUnreadable: skipsUnreadable)
    }

    private static let selectionByID = "\(TransactionRecord.selection()) WHERE t.id = ?1"
    private static let selectionByKey = "\(TransactionRecord.selection()) WHERE t.key = ?1"

    private func know(_ found: [TransactionRecord]) -> TransactionRecord? {
        found.first.map { record in
            knownTransactions[record.key] = record
            return record
        }
    }

    private func transactions(sql: String, _ values: [SQLValue], skipsUnreadable: Bool = false) throws
        -> [TransactionRecord]
    {
        try rows(of: "transactions", sql, values, skipsUnreadable: skipsUnreadable) { columns in
            var record = try TransactionRecord(&columns, receiptHeader: receiptHeader(key:))
            if record.hasDownloads && record.finishedAt == nil {
                record.downloads = try downloads(ofTransaction: record.key)
            }
            return record
        }
    }
}

extension SQLiteTransaction {
    func entitlement(to productID: String, in queue: Int64) throws -> TransactionRecord? {
        try transactions(
            """
            WHERE t.queue = ?1 AND t.product_id = ?2 AND t.is_entitlement = 1 AND t.product_type = 1
            ORDER BY t.key LIMIT 1
            """,
            [SQLValue(queue), SQLValue(productID)]
        ).first
    }

    func entitlements(in queue: Int64, afterKey key: Int64, limit: Int) throws -> [TransactionRecord] {
        try transactions(
            """
            WHERE t.queue = ?1 AND t.key > ?2 AND t.is_entitlement = 1 AND t.product_type IN (1, 2)
            ORDER BY t.key LIMIT ?3
            """,
            [SQLValue(queue), SQLValue(key), SQLValue(limit: limit)]
        )
    }

    func restorableTransactions(in queue: Int64, afterKey key: Int64, applicationUsername: String?, limit: Int) throws
        -> [TransactionRecord]
    {
        try transactions(
            "WHERE \(Self.isRestorable(applicationUsername)) AND t.key > ?3 ORDER BY t.key LIMIT ?4",
            [SQLValue(queue), SQLValue(applicationUsername), SQLValue(key), SQLValue(limit: limit)]
        )
    }

    func restorableCount(in queue: Int64, applicationUsername: String?) throws -> Int {
        try rows(
            of: "transactions",
            "SELECT count(*) FROM transactions t WHERE \(Self.isRestorable(applicationUsername))",
            [SQLValue(queue), SQLValue(applicationUsername)]
        ) { try $0.int() }.first ?? 0
    }

    /// The condition on transactions of the queue `?1` and, unless that is nil, of the username `?2`.
    private static func isRestorable(_ username: String?) -> String {
        """
        t.queue = ?1 AND t.is_entitlement = 1 AND t.product_type IN (1, 3) AND t.finished_at IS NOT NULL
            AND \(username == nil ? "?2 IS NULL" : "t.application_username = ?2")
        """
    }
}

extension SQLiteTransaction {
    /// A page of each blocker, merged.
    func transactions(waitingFor blockers: Set<Blocker>, account: String?, afterKey key: Int64, limit: Int) throws
        -> [TransactionRecord]
    {
        let found = try blockers.flatMap { blocker in
            try transactions(
                """
                WHERE t.state IN (0, 4) AND t.blocker <> 1 AND t.blocker = ?1 AND t.key > ?2
                    AND \(account == nil ? "?3 IS NULL" : "t.queue IN (SELECT key FROM queues WHERE account = ?3)")
                ORDER BY t.key LIMIT ?4
                """,
                [SQLValue(blocker.rawValue), SQLValue(key), SQLValue(account), SQLValue(limit: limit)],
                by: account == nil ? "waiting" : "waiting_in_queue"
            )
        }
        return Array(found.sorted { $0.key < $1.key }.prefix(max(0, limit)))
    }

    func overdueTransactions(at date: Date, limit: Int) throws -> [TransactionRecord] {
        try transactions(
            "WHERE t.state IN (0, 4) AND t.deadline <= ?1 ORDER BY t.deadline, t.key LIMIT ?2",
            [SQLValue(date), SQLValue(limit: limit)],
            skipsUnreadable: true
        )
    }

    func transactions(waitingBeyond date: Date, limit: Int) throws -> [TransactionRecord] {
        try transactions(
            "WHERE t.state IN (0, 4) AND t.deadline > ?1 ORDER BY t.deadline DESC, t.key DESC LIMIT ?2",
            [SQLValue(date), SQLValue(limit: limit)],
            skipsUnreadable: true
        )
    }
}
