package import FoundationEssentials
package import TillEngine
package import TillModel

extension SQLTransaction: TransactionReader {
    package func newTransactionKey() throws -> Int64 {
        try highestKey.next {
            try rows(of: "transactions", Self.highestKeySelection, []) { try $0.integerIfPresent() ?? 0 }.first ?? 0
        }
    }

    private static let highestKeySelection = "SELECT max(key) FROM transactions"

    /// Reads the highest key, if it is not known, with ``finishReads()``.
    func readHighestKeyLater() throws {
        guard !highestKey.isKnown else {
            return
        }
        try readLater(of: "transactions", Self.highestKeySelection, []) { [highestKey] columns in
            highestKey.note(try columns.integerIfPresent() ?? 0)
        }
    }

    package func transaction(_ id: UUID) throws -> TransactionRecord? {
        guard !known.transactions.isAbsent(id) else {
            return nil
        }
        return try (known.transactions[id] ?? readRow(Self.rowByID, SQLValue(id))).map(withDownloads)
    }

    package func transaction(key: Int64) throws -> TransactionRecord? {
        try row(key: key).map(withDownloads)
    }

    package func transactionKey(_ id: UUID) throws -> Int64? {
        if let row = known.transactions[id] {
            return row.transaction.key
        }
        guard !known.transactions.isAbsent(id) else {
            return nil
        }
        return try rows(of: "transactions", "SELECT key FROM transactions WHERE id = ?1", [SQLValue(id)]) {
            try $0.integer()
        }.first
    }

    package func unfinishedTransactions(in queue: Int64, afterKey key: Int64, limit: Int) throws -> [TransactionRecord]
    {
        try transactions(
            byKeys: """
                SELECT key FROM transactions WHERE place IN \(Place.unfinished.list) AND queue = ?1 AND key > ?2
                ORDER BY key LIMIT ?3
                """,
            [SQLValue(queue), SQLValue(key), SQLValue(limit: limit)]
        )
    }

    /// Those that belong in the receipt for good have a mark; of the unfinished ones, all purchases belong there.
    package func receiptTransactions(in queue: Int64, beforeKey key: Int64, limit: Int) throws -> [TransactionRecord] {
        try transactions(
            byKeys: """
                SELECT key FROM (
                    SELECT key FROM marks
                    WHERE kind = \(Mark.Kind.receipt.rawValue) AND owner = ?1 AND name = '' AND key < ?2
                    ORDER BY key DESC LIMIT ?3
                ) AS marked
                UNION
                SELECT key FROM (
                    SELECT key FROM transactions
                    WHERE place = \(Place.ended.rawValue) AND queue = ?1 AND key < ?2
                        AND state = \(TransactionState.purchased.rawValue)
                    ORDER BY key DESC LIMIT ?3
                ) AS ended
                ORDER BY key DESC LIMIT ?3
                """,
            [SQLValue(queue), SQLValue(key), SQLValue(limit: limit)],
            order: "DESC"
        )
    }

    package func transactions(in queue: Int64, changedAfter revision: UInt64, limit: Int) throws -> [TransactionRecord]
    {
        try writeTransactions()
        return try read(Self.changed, [SQLValue(queue), SQLValue(revision), SQLValue(limit: limit)])
    }

    package func deliverableTransactions(in queue: Int64, revisions: ClosedRange<UInt64>, limit: Int) throws
        -> [TransactionRecord]
    {
        try writeTransactions()
        return try read(
            Self.deliverable,
            [SQLValue(queue), SQLValue(revisions.lowerBound), SQLValue(limit: limit), SQLValue(revisions.upperBound)]
        )
    }

    package func transactions(matching filter: TransactionFilter, afterKey key: Int64, limit: Int) throws
        -> [TransactionRecord]
    {
        let query = FilterQuery(filter, from: key, limit: limit)
        return try transactions(query.sql, query.values)
    }

    package func transactions(matching filter: TransactionFilter, beforeKey key: Int64, limit: Int) throws
        -> [TransactionRecord]
    {
        let query = FilterQuery(filter, from: key, isDescending: true, limit: limit)
        return try transactions(query.sql, query.values)
    }

    /// The plus sign keeps databases from reading all that have left their queues instead of the range.
    package func unprunedTransactions(in keys: ClosedRange<Int64>) throws -> [TransactionRecord] {
        try transactions(
            """
            WHERE t.key BETWEEN ?1 AND ?2 AND +t.place = \(Place.left.rawValue)
                AND (t.receipt_header IS NOT NULL OR length(t.history) > 0)
            ORDER BY t.key
            """,
            [SQLValue(keys.lowerBound), SQLValue(keys.upperBound)],
            skipsUnreadable: true
        )
    }

    package func unfinishedRestoredTransaction(of purchase: TransactionRecord) throws -> TransactionRecord? {
        try transactions(
            with: Mark(.copy, purchase.asOriginal.key, Mark.copyName(purchase.term)),
            afterKey: 0,
            limit: 1
        ).first
    }

    package func unfinishedRenewals(ofSubscription key: Int64, limit: Int) throws -> [TransactionRecord] {
        try transactions(with: Mark(.renewal, key), afterKey: 0, limit: limit)
    }

    package func terms(ofSubscription key: Int64, afterKey: Int64, limit: Int) throws -> [TransactionRecord] {
        try transactions(with: Mark(.term, key), afterKey: afterKey, limit: limit)
    }

    package func disputedTransactions(in queue: Int64, limit: Int) throws -> [TransactionRecord] {
        try transactions(with: Mark(.disputed, queue), afterKey: 0, limit: limit)
    }
}

/// Purchases that entitle to their products.
extension SQLTransaction {
    package func entitlement(to productID: String, in queue: Int64) throws -> TransactionRecord? {
        try transactions(with: Mark(.owned, queue, productID), afterKey: .min, limit: 1).first
    }

    package func entitlements(in queue: Int64, afterKey key: Int64, limit: Int) throws -> [TransactionRecord] {
        try transactions(with: Mark(.entitlement, queue), afterKey: key, limit: limit)
    }

    package func restorableTransactions(in queue: Int64, afterKey key: Int64, applicationUsername: String?, limit: Int)
        throws
        -> [TransactionRecord]
    {
        try transactions(with: Self.restorable(queue, applicationUsername), afterKey: key, limit: limit)
    }

    package func restorableCount(in queue: Int64, applicationUsername: String?) throws -> Int {
        let mark = Self.restorable(queue, applicationUsername)
        try writeTransactions()
        return try rows(
            of: "marks",
            "SELECT count(*) FROM marks WHERE kind = ?1 AND owner = ?2 AND name = ?3",
            [SQLValue(mark.kind.rawValue), SQLValue(mark.owner), SQLValue(mark.name)]
        ) { try $0.int("count", nil) }.first ?? 0
    }

    private static func restorable(_ queue: Int64, _ username: String?) -> Mark {
        username.map { Mark(.restorableByUsername, queue, $0) } ?? Mark(.restorable, queue)
    }
}

/// Transactions that wait for people.
extension SQLTransaction {
    package func transactions(waitingFor blockers: Set<Blocker>, account: String?, afterKey key: Int64, limit: Int)
        throws
        -> [TransactionRecord]
    {
        let places = blockers.subtracting([.provider]).map(Place.init).sorted { $0.rawValue < $1.rawValue }
        guard !places.isEmpty else {
            return []
        }
        let queues =
            account == nil ? "CAST(?1 AS TEXT) IS NULL" : "queue IN (SELECT key FROM queues WHERE account = ?1)"
        return try transactions(
            byKeys: """
                SELECT key FROM transactions WHERE place IN \(places.list) AND \(queues) AND key > ?2
                ORDER BY key LIMIT ?3
                """,
            [SQLValue(account), SQLValue(key), SQLValue(limit: limit)]
        )
    }

    package func overdueTransactions(at date: Date, limit: Int) throws -> [TransactionRecord] {
        try transactions(
            "WHERE t.deadline <= ?1 ORDER BY t.deadline, t.key LIMIT ?2",
            [SQLValue(date), SQLValue(limit: limit)],
            skipsUnreadable: true
        )
    }

    package func transactions(waitingBeyond date: Date, limit: Int) throws -> [TransactionRecord] {
        try transactions(
            "WHERE t.deadline > ?1 ORDER BY t.deadline DESC, t.key DESC LIMIT ?2",
            [SQLValue(date), SQLValue(limit: limit)],
            skipsUnreadable: true
        )
    }
}

/// Lists of transactions.
extension SQLTransaction {
    /// The transactions whose keys a query gives, by key.
    private func transactions(byKeys keys: String, _ values: [SQLValue], order: String = "ASC") throws
        -> [TransactionRecord]
    {
        try transactions("WHERE t.key IN (\(keys)) ORDER BY t.key \(order)", values)
    }

    /// The transactions that have a mark, by key.
    private func transactions(with mark: Mark, afterKey key: Int64, limit: Int) throws -> [TransactionRecord] {
        try transactions(
            """
            WHERE t.key IN (
                SELECT key FROM marks WHERE kind = ?1 AND owner = ?2 AND name = ?3 AND key > ?4 ORDER BY key LIMIT ?5
            )
            ORDER BY t.key
            """,
            [
                SQLValue(mark.kind.rawValue), SQLValue(mark.owner), SQLValue(mark.name), SQLValue(key),
                SQLValue(limit: limit),
            ]
        )
    }

    private static let changed = selection(at: Place.allCases, where: "t.queue = ?1 AND t.revision > ?2")
    private static let deliverable = selection(
        at: Place.deliverable,
        where: "t.queue = ?1 AND t.revision BETWEEN ?2 AND ?4"
    )

    /// The first `?3` transactions at the places that meet the condition, by revision: SQLite merges one range of the index
    /// for each place.
    private static func selection(at places: [Place], where condition: String) -> String {
        let ranges = places.map { place in
            "SELECT \(TransactionRecord.columns) FROM transactions t WHERE t.place = \(place.rawValue) AND \(condition)"
        }
        return "\(ranges.joined(separator: " UNION ALL ")) ORDER BY \(TransactionRecord.revisionColumn) LIMIT ?3"
    }

    /// The transactions `t` that meet the condition.
    private func transactions(_ condition: String, _ values: [SQLValue], skipsUnreadable: Bool = false) throws
        -> [TransactionRecord]
    {
        try writeTransactions()
        let sql = "SELECT \(TransactionRecord.columns) FROM transactions t \(condition)"
        return try read(sql, values, skipsUnreadable: skipsUnreadable)
    }

    private func read(_ sql: String, _ values: [SQLValue], skipsUnreadable: Bool = false) throws -> [TransactionRecord]
    {
        try rows(of: "transactions", sql, values, skipsUnreadable: skipsUnreadable) { columns in
            var record = try TransactionRecord.read(&columns, receiptHeader: receiptHeader(key:)).transaction
            record.downloads = try downloads(of: record)
            return record
        }
    }

    private func downloads(of record: TransactionRecord) throws -> [DownloadRecord] {
        record.hasDownloads && record.finishedAt == nil ? try downloads(ofTransaction: record.key) : []
    }

    private func withDownloads(_ row: TransactionRow) throws -> TransactionRecord {
        var record = row.transaction
        record.downloads = try downloads(of: record)
        return record
    }
}

/// Rows with their charges and histories.
extension SQLTransaction {
    /// The row with the key, which is read once.
    func row(key: Int64) throws -> TransactionRow? {
        try known.transactions[key] ?? readRow(Self.rowByKey, SQLValue(key))
    }

    /// The row with the key.
    ///
    /// - Throws: `notFound` when the ledger does not have it.
    func requireRow(key: Int64) throws -> TransactionRow {
        guard let row = try row(key: key) else {
            throw TillError(.notFound, "The ledger has no transaction \(key).")
        }
        return row
    }

    private static let rowByID = wholeSelection("WHERE t.id = ?1")
    private static let rowsByIDs = wholeSelection("WHERE t.id = ANY (CAST(string_to_array(?1, ',') AS uuid[]))")
    private static let rowsByKeys = wholeSelection("WHERE t.key = ANY (CAST(string_to_array(?1, ',') AS bigint[]))")
    private static let rowByKey = wholeSelection("WHERE t.key = ?1")

    private static func wholeSelection(_ condition: String) -> String {
        "SELECT \(TransactionRecord.columns), t.history FROM transactions t \(condition)"
    }

    private func readRow(_ sql: String, _ value: SQLValue) throws -> TransactionRow? {
        let found = try wholeRows(sql: sql, [value]).first
        if let found {
            known.transactions.insert(found)
        }
        return found
    }

    /// Reads the rows that are not known yet, and notes which identities have none, with ``finishReads()``.
    func readLater(_ transactions: [TransactionReference]) throws {
        var ids: [UUID] = []
        var keys: [Int64] = []
        for transaction in transactions {
            switch transaction {
            case .id(let id) where known.transactions[id] == nil && !known.transactions.isAbsent(id): ids.append(id)
            case .key(let key) where known.transactions[key] == nil: keys.append(key)
            case .id, .key: break
            }
        }
        try readLater(Self.rowsByIDs, ids.map(\.text))
        known.transactions.noteAbsent(ids)
        try readLater(Self.rowsByKeys, keys.map(String.init))
    }

    private func readLater(_ sql: String, _ names: [String]) throws {
        guard !names.isEmpty else {
            return
        }
        try readLater(of: "transactions", sql, [SQLValue(names.joined(separator: ","))]) { [self] columns in
            known.transactions.insert(try wholeRow(&columns))
        }
    }

    /// The rows `t` that meet the condition, as the table has them.
    func wholeRows(_ condition: String, _ values: [SQLValue], skipsUnreadable: Bool = false) throws -> [TransactionRow]
    {
        try wholeRows(sql: Self.wholeSelection(condition), values, skipsUnreadable: skipsUnreadable)
    }

    private func wholeRows(sql: String, _ values: [SQLValue], skipsUnreadable: Bool = false) throws -> [TransactionRow]
    {
        try rows(of: "transactions", sql, values, skipsUnreadable: skipsUnreadable, read: wholeRow)
    }

    private func wholeRow(_ columns: inout Columns) throws -> TransactionRow {
        var (transaction, detail) = try TransactionRecord.read(&columns, receiptHeader: receiptHeader(key:))
        let charge = try columns.fields(of: &detail) { detail in
            try detail.nestedIfPresent(TransactionRecord.chargeTag, nil) { detail, _ in
                try ChargeRecord(&detail, of: transaction, in: { try name(ofQueue: transaction.queue) }, nil)
            }
        }
        let history = PackedHistory(try columns.bytes())
        return TransactionRow(stored: transaction, charge: charge, history: history)
    }
}

extension TransactionRecord {
    /// The columns of a transaction `t`, in the order of ``read(_:receiptHeader:)``.
    fileprivate static let columns = "\(TransactionColumns.selection), t.receipt_header, t.receipt, t.detail"
    /// The number of the column `revision` among them.
    fileprivate static let revisionColumn = 5

    /// Reads a transaction, and returns the fields of `detail` that follow its own, too.
    ///
    /// - Parameter receiptHeader: Gives the header with a key, or nil for a key that no header has.
    fileprivate static func read(_ columns: inout Columns, receiptHeader: (Int64) throws -> String?) throws
        -> (transaction: TransactionRecord, detail: FieldReader)
    {
        let values = try TransactionColumns(&columns)
        let receipt = try columns.receiptIfPresent(header: receiptHeader)
        var detail = FieldReader(try columns.bytes())
        var record = try columns.fields(of: &detail) { try TransactionRecord(&$0, values, nil) }
        record.receipt = receipt
        return (record, detail)
    }
}
