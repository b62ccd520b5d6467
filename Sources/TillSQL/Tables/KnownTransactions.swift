import FoundationEssentials
import TillEngine
import TillModel

/// Transactions that commits have read by key or identity or have changed. A commit reads each once, and writes it once at
/// the end, however often it changes. Unfinished ones stay known to the next commits: the ledger has one writer.
struct KnownTransactions {
    /// Beyond this, all are dropped at the end of a commit, and read again when they are needed. A row has about 2 KB.
    static let countMaximum = 1_024

    private var rows: [Int64: TransactionRow] = [:]
    private var keys: [UUID: Int64] = [:]
    /// The keys of rows that are still to be written, in the order of their first change.
    private var changed: [Int64] = []
    /// The keys of rows that this commit has read or changed.
    private var used: [Int64] = []
    /// Identities of which this commit has found no row.
    private var absent: Set<UUID> = []

    var count: Int {
        rows.count
    }

    subscript(key: Int64) -> TransactionRow? {
        rows[key]
    }

    subscript(id: UUID) -> TransactionRow? {
        keys[id].flatMap { rows[$0] }
    }

    /// Whether the ledger had no row with the identity, and this commit has inserted none.
    func isAbsent(_ id: UUID) -> Bool {
        absent.contains(id) && keys[id] == nil
    }

    /// Notes that the ledger has no rows with these identities except for those that are known.
    mutating func noteAbsent(_ ids: [UUID]) {
        absent.formUnion(ids)
    }

    /// Adds a row, or replaces it after a change.
    mutating func insert(_ row: TransactionRow) {
        let key = row.transaction.key
        if !row.changes.isEmpty && rows[key]?.changes.isEmpty != false {
            changed.append(key)
        }
        if rows.updateValue(row, forKey: key) == nil {
            keys[row.transaction.id] = key
            used.append(key)
        } else if row.transaction.finishedAt != nil {
            used.append(key)
        }
    }

    /// The rows that are to be written now. They have to be added again once they are written.
    mutating func takeChanged() -> [TransactionRow] {
        guard !changed.isEmpty else {
            return []
        }
        defer { changed = [] }
        return changed.compactMap { rows[$0] }
    }

    /// Ends a commit: forgets the finished rows, which hardly change any more.
    mutating func settle() {
        absent = []
        guard rows.count <= Self.countMaximum else {
            self = KnownTransactions()
            return
        }
        for key in used {
            if let row = rows[key], row.transaction.finishedAt != nil {
                rows[key] = nil
                keys[row.transaction.id] = nil
            }
        }
        used = []
    }
}
