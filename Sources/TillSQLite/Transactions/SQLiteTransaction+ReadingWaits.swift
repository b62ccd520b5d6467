import FoundationEssentials
import TillEngine
import TillModel

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
