import TillEngine

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
