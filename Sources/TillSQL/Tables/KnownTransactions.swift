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

    subscript(reference: TransactionReference) -> TransactionRow? {
        switch reference {
        case .id(let id): self[id]
        case .key(let key): self[key]
        }
    }

    /// Whether the ledger had no row with the identity, and this commit has inserted none.
    func isAbsent(_ id: UUID) -> Bool {
        absent.contains(id) && keys[id] == nil
    }

    /// Notes that the ledger has no rows with these identities except for those that are known.
    mutating func noteAbsent(_ ids: [UUID]) {
        absent.formUnion(ids)
    }

    /// Whether rows are to be written.
    var hasChanged: Bool {
        !changed.isEmpty
    }

    /// Adds a row, or replaces it after a change.
    mutating func insert(_ row: consuming TransactionRow) {
        let key = row.transaction.key
        let id = row.transaction.id
        let isChanged = !row.changes.isEmpty
        let isFinished = row.transaction.finishedAt != nil
        let wasChanged: Bool?
        if let index = rows.index(forKey: key) {
            wasChanged = Self.replace(&rows.values[index], with: row)
        } else {
            wasChanged = nil
            rows[key] = row
            keys[id] = key
        }
        if isChanged, wasChanged != true {
            changed.append(key)
        }
        if wasChanged == nil || isFinished {
            used.append(key)
        }
    }

    /// - Returns: Whether the row was to be written.
    private static func replace(_ row: inout TransactionRow, with new: consuming TransactionRow) -> Bool {
        defer { row = new }
        return !row.changes.isEmpty
    }

    /// Gives each row that is to be written to `write`, where it lies: rows are large, and copies of them take long.
    mutating func writeChanged(_ write: (inout TransactionRow) throws -> Void) rethrows {
        for key in changed {
            if let index = rows.index(forKey: key) {
                try write(&rows.values[index])
            }
        }
        changed = []
    }

    /// The rows, which the caller does not keep.
    mutating func take() -> KnownTransactions {
        defer { self = KnownTransactions() }
        return self
    }

    /// Ends a commit: forgets the finished rows, which hardly change any more.
    mutating func settle() {
        absent = []
        guard rows.count <= Self.countMaximum else {
            self = KnownTransactions()
            return
        }
        for key in used {
            if let index = rows.index(forKey: key), let id = Self.identityIfFinished(&rows.values[index]) {
                rows.remove(at: index)
                keys[id] = nil
            }
        }
        used = []
    }

    /// Looks at a row without a copy of it.
    private static func identityIfFinished(_ row: inout TransactionRow) -> UUID? {
        row.transaction.finishedAt == nil ? nil : row.transaction.id
    }
}
