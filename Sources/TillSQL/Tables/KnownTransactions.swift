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

    var count: Int {
        rows.count
    }

    subscript(key: Int64) -> TransactionRow? {
        rows[key]
    }

    subscript(id: UUID) -> TransactionRow? {
        keys[id].flatMap { rows[$0] }
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
