import FoundationEssentials
package import TillEngine
import TillModel

#if MUTANTS
    import Mutants
#endif

/// Finishes of a ledger whose applications may finish transactions in its database, too: each transaction has at most one, by the
/// daemon or by an application.
///
/// An application that finishes there holds a lock on the transaction's identity until its own transaction ends. A commit takes
/// the same locks, but never waits for one.
package struct SharedFinishes {
    /// By the key of a transaction that this commit may finish, whether it could take the lock.
    fileprivate var reservations: [Int64: Bool] = [:]
    /// The rows of the transactions that this commit has finished, one after the other.
    fileprivate var values: [SQLValue] = []

    mutating func add(_ transaction: TransactionRecord) {
        values += [
            SQLValue(transaction.key), SQLValue(transaction.queue), SQLValue(transaction.finishedAt), .integer(0),
        ]
    }

    /// Sets these locks apart from those of other programs: the seed with which an identity is hashed.
    package static let lockSeed = 0x5469_6C6C
}

extension SQLTransaction {
    package func finishesInDatabase(inQueue queue: Int64?, limit: Int) throws -> [Int64] {
        guard finishes != nil else {
            return []
        }
        try writeTransactions()
        return try rows(
            of: "finishes",
            """
            SELECT f.transaction_key FROM finishes f JOIN transactions t ON t.key = f.transaction_key
            WHERE f.is_pending = 1 AND t.place = \(Place.ended.rawValue)\(queue == nil ? "" : " AND f.queue = ?2")
            ORDER BY f.transaction_key LIMIT ?1
            """,
            [SQLValue(limit: limit)] + (queue.map { [SQLValue($0)] } ?? [])
        ) { try $0.integer() }
    }

    package func reserveFinish(of transaction: TransactionRecord) throws -> Bool {
        guard finishes != nil else {
            return true
        }
        if finishes?.reservations[transaction.key] == nil {
            try reserve([transaction])
        }
        return finishes?.reservations[transaction.key] == true
    }

    /// Takes the locks of the transactions that commands name and can finish, in one round trip.
    func reserveAhead(_ references: [TransactionReference]) throws {
        guard finishes != nil, references.count > 1 else {
            return
        }
        let named = references.compactMap { known.transactions[$0]?.transaction }
        try reserve(named.filter { Place($0) == .ended && finishes?.reservations[$0.key] == nil })
    }

    private func reserve(_ transactions: [TransactionRecord]) throws {
        guard !transactions.isEmpty else {
            return
        }
        let keys = Dictionary(transactions.map { ($0.id.text, $0.key) }) { first, _ in first }
        let taken = try rows(
            of: "finishes",
            """
            SELECT id, CASE WHEN pg_try_advisory_xact_lock(hashtextextended(id, \(SharedFinishes.lockSeed)))
                THEN CAST(1 AS bigint) ELSE 0 END
            FROM unnest(string_to_array(?1, ',')) AS given (id)
            """,
            [SQLValue(keys.keys.sorted().joined(separator: ","))]
        ) { (try $0.text(), try $0.integer() == 1) }
        for (id, isTaken) in taken {
            if let key = keys[id] {
                finishes?.reservations[key] = isTaken
            }
        }
    }

    /// Writes the finishes that are kept until the end of the commit.
    func writeFinishes() throws {
        guard let values = finishes?.values else {
            return
        }
        #if MUTANTS
            if Mutant.finishNotShared.isPlanted {
                return
            }
        #endif
        try write(values, with: Self.finish)
    }

    private static let finish = RowStatement.replacement(
        in: "finishes",
        key: "transaction_key",
        ["queue", "finished_at", "is_pending"]
    )
}
