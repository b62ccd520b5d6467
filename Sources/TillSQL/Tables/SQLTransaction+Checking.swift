import TillEngine

extension SQLTransaction {
    /// Transactions read at once by a check.
    private static let checkedPage = 500

    /// Where the columns and marks of transactions, by which they are found, disagree with the rest of their rows: a sentence
    /// each. Reads all transactions.
    ///
    /// - Throws: `dataLoss` for the first row that cannot be read.
    package func disagreements(limit: Int) throws -> [String] {
        var found: [String] = []
        var markCount = 0
        var last = Int64.min
        while found.count < limit, case let page = try checkedRows(afterKey: last), let end = page.last {
            for row in page {
                let marks = row.marks
                markCount += marks.count
                if let part = try disagreement(row, marks) {
                    found.append("row \(row.transaction.key) of the table transactions disagrees with its \(part)")
                }
            }
            last = end.transaction.key
        }
        if try found.isEmpty && count("marks") != markCount {
            found.append("the table marks has rows of transactions that do not have these marks")
        }
        return found
    }

    private func checkedRows(afterKey key: Int64) throws -> [TransactionRow] {
        try wholeRows(
            "WHERE t.key > ?1 ORDER BY t.key LIMIT ?2",
            [SQLValue(key), SQLValue(limit: Self.checkedPage)]
        )
    }

    private func disagreement(_ row: TransactionRow, _ marks: [Mark]) throws -> String? {
        let record = row.transaction
        guard try queue(key: record.queue) != nil else {
            return "queue, which is not there"
        }
        let isFound = try rows(
            of: "transactions",
            """
            SELECT key FROM transactions
            WHERE key = ?1 AND place = ?2 AND charge_state IS NOT DISTINCT FROM ?3
                AND charge_due_at IS NOT DISTINCT FROM ?4
            """,
            [SQLValue(record.key)] + row.derivedValues
        ) { try $0.integer() }
        guard !isFound.isEmpty else {
            return "columns"
        }
        return try marks.allSatisfy { try hasMark($0, record.key) } ? nil : "marks"
    }

    private func hasMark(_ mark: Mark, _ key: Int64) throws -> Bool {
        let found = try rows(
            of: "marks",
            "SELECT key FROM marks WHERE kind = ?1 AND owner = ?2 AND name = ?3 AND key = ?4",
            mark.values(key)
        ) { try $0.integer() }
        return !found.isEmpty
    }

    private func count(_ table: String) throws -> Int {
        try rows(of: table, "SELECT count(*) FROM \(table)", []) { try $0.int("count", nil) }.first ?? 0
    }
}
