package import FoundationEssentials
package import TillEngine
package import TillModel

extension SQLTransaction: BookReader {
    package func history(ofTransaction key: Int64) throws -> [HistoryRecord] {
        guard let row = try row(key: key) else {
            return []
        }
        return try ofHistory(key) { try row.history.entries(ofTransaction: key) }
    }

    package func audit(after sequence: Int64, limit: Int) throws -> [AuditLink] {
        try rows(
            of: AuditLink.self,
            "WHERE sequence > ?1 ORDER BY sequence LIMIT ?2",
            [SQLValue(sequence), SQLValue(limit: limit)]
        )
    }

    package func lastAudit() throws -> AuditLink? {
        try rows(of: AuditLink.self, "ORDER BY sequence DESC LIMIT 1", []).first
    }

    package func settings() throws -> [String: String] {
        if let settings = known.settings {
            return settings
        }
        let rows = try rows(of: "settings", "SELECT name, value FROM settings", []) { columns in
            (try columns.text(), try columns.text())
        }
        let settings = Dictionary(rows) { _, last in last }
        known.settings = settings
        return settings
    }

    package func nextDue() throws -> Date? {
        try writeTransactions()
        return try [
            earliest("charge_due_at", in: "transactions"), earliest("deadline", in: "transactions"),
            earliest("due_at", in: "renewal_charges", where: "state = 1"),
            earliest("due_at", in: "refunds", where: "state = 0"), earliest("due_at", in: "subscriptions"),
        ].compactMap(\.self).min()
    }

    private func earliest(_ column: String, in table: String, where condition: String? = nil) throws -> Date? {
        let condition = condition ?? "\(column) IS NOT NULL"
        let sql = "SELECT key, \(column) FROM \(table) WHERE \(condition) ORDER BY \(column) LIMIT 1"
        return try rows(of: table, sql, []) { columns in
            columns.skip(1)
            return try columns.date(column, nil)
        }.first
    }

    /// Runs `body`, and names the row when its history cannot be read.
    private func ofHistory<Value>(_ key: Int64, _ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch is UnreadableField {
            throw TillError.unreadable(row: String(key), of: "transactions", column: "history")
        }
    }
}

extension SQLTransaction: BookWriter {
    package func append(_ entry: HistoryRecord, keeping count: Int) throws {
        var row = try requireRow(key: entry.transactionKey)
        try ofHistory(entry.transactionKey) { try row.history.append(entry, keeping: count) }
        row.changes.insert(.history)
        known.transactions.insert(row)
    }

    package func append(_ link: AuditLink) throws {
        let inserted = try run(
            """
            INSERT INTO audit (\(AuditLink.table.columns)) SELECT \(AuditLink.table.parameters)
            WHERE ?1 = 1 + coalesce((SELECT max(sequence) FROM audit), 0)
            """,
            AuditLink.table.values(of: link)
        )
        guard inserted == 1 else {
            throw TillError(.failedPrecondition, "Link \(link.sequence) is not the next of the audit log.")
        }
    }

    /// SQLite writes no page for a value that stays the same, but does for one that changes back.
    package func touch() throws {
        try run("UPDATE meta SET clean = 1 - clean", [])
        try run("UPDATE meta SET clean = 1 - clean", [])
    }

    package func setSetting(_ name: String, to value: String?) throws {
        known.settings?[name] = value
        known.changesOperatorSettings = known.changesOperatorSettings || StoreControls.isOperators(name)
        guard let value else {
            try run("DELETE FROM settings WHERE name = ?1", [SQLValue(name)])
            return
        }
        try run(
            "INSERT INTO settings (name, value) VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET value = ?2",
            [SQLValue(name), SQLValue(value)]
        )
    }
}

extension AuditLink: TableRow {
    package static let table = Table<Self>("audit")

    package init(_ coder: inout some ColumnCoder, _ value: Self?) throws {
        self.init(
            sequence: try coder.integer("sequence", value?.sequence),
            date: try coder.date("date", value?.date),
            uid: try coder.required(UInt32(exactly: try coder.integer("uid", (value?.uid).map(Int64.init))), of: "uid"),
            action: try coder.text("action", value?.action),
            subject: try coder.text("subject", value?.subject),
            detail: try coder.text("detail", value?.detail),
            reason: try coder.text("reason", value?.reason),
            previousHash: try coder.bytes("previous_hash", value?.previousHash),
            hash: try coder.bytes("hash", value?.hash)
        )
        host = try coder.text("host", value?.host)
    }
}
