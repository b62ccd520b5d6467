import FoundationEssentials
import TillEngine
import TillModel

extension SQLiteTransaction {
    /// One read for each blocker, merged, so that none reads more than a page.
    func transactions(waitingFor blockers: Set<Blocker>, account: String?, afterKey key: Int64, limit: Int) throws
        -> [TransactionRecord]
    {
        let found = try blockers.flatMap { blocker in
            try transactions(
                """
                WHERE t.state IN (0, 4) AND t.blocker = ?1 AND t.key > ?2
                    \(account == nil ? "" : "AND t.queue IN (SELECT key FROM queues WHERE account = ?4)")
                ORDER BY t.key LIMIT ?3
                """,
                [SQLValue(blocker.rawValue), SQLValue(key), SQLValue(limit: limit)]
                    + (account.map { [SQLValue($0)] } ?? [])
            )
        }
        return Array(found.sorted { $0.key < $1.key }.prefix(max(0, limit)))
    }

    func overdueTransactions(at date: Date, limit: Int) throws -> [TransactionRecord] {
        try transactions(
            "WHERE t.state IN (0, 4) AND t.deadline <= ?1 ORDER BY t.deadline, t.key LIMIT ?2",
            [SQLValue(date), SQLValue(limit: limit)]
        )
    }
}
