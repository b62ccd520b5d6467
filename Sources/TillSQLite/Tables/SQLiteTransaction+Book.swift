import FoundationEssentials
import TillEngine
import TillModel

extension SQLiteTransaction: BookReader {
    func history(ofTransaction key: Int64) throws -> [HistoryRecord] {
        try rows(
            of: "history",
            "\(HistoryRecord.selection) WHERE transaction_key = ?1 ORDER BY key",
            [SQLValue(key)],
            read: HistoryRecord.init
        )
    }

    func audit(after sequence: Int64, limit: Int) throws -> [AuditLink] {
        try audit("WHERE sequence > ?1 ORDER BY sequence LIMIT ?2", [SQLValue(sequence), SQLValue(limit: limit)])
    }

    func lastAudit() throws -> AuditLink? {
        try audit("ORDER BY sequence DESC LIMIT 1", []).first
    }

    func settings() throws -> [String: String] {
        let settings = try rows(of: "settings", "SELECT name, value FROM settings", []) { columns in
            (try columns.text(), try columns.text())
        }
        return Dictionary(settings) { _, last in last }
    }

    func nextDue() throws -> Date? {
        try [
            earliest("due_at", in: "charges", where: "state = 1"),
            earliest("due_at", in: "refunds", where: "state = 0"),
            earliest("due_at", in: "subscriptions", where: "due_at IS NOT NULL"),
            earliest("deadline", in: "transactions", where: "state IN (0, 4) AND deadline IS NOT NULL"),
        ].compactMap(\.self).min()
    }

    private func earliest(_ column: String, in table: String, where condition: String) throws -> Date? {
        let sql = "SELECT key, \(column) FROM \(table) WHERE \(condition) ORDER BY \(column) LIMIT 1"
        return try rows(of: table, sql, []) { columns in
            columns.skip(1)
            return try columns.date()
        }.first
    }

    private func audit(_ condition: String, _ values: [SQLValue]) throws -> [AuditLink] {
        try rows(of: "audit", "\(AuditLink.selection) \(condition)", values, read: AuditLink.init)
    }
}

/// The entries of one kind of a transaction's history, which may need pruning.
struct GrownHistory: Hashable {
    var transactionKey: Int64
    var kind: Int
    var keptMaximum: Int
}

extension SQLiteTransaction: BookWriter {
    func append(_ entry: HistoryRecord, keeping count: Int) throws {
        try run(
            "INSERT INTO history (transaction_key, date, kind, actor, detail) VALUES (?1, ?2, ?3, ?4, ?5)",
            entry.values
        )
        grownHistories.insert(
            GrownHistory(transactionKey: entry.transactionKey, kind: entry.kind.rawValue, keptMaximum: count)
        )
    }

    /// Deletes the oldest entries of the histories that this transaction has appended to beyond their limits.
    func pruneHistories() throws {
        for history in grownHistories {
            try run(
                """
                DELETE FROM history WHERE transaction_key = ?1 AND kind = ?2 AND key <= (
                    SELECT key FROM history WHERE transaction_key = ?1 AND kind = ?2 ORDER BY key DESC LIMIT 1 OFFSET ?3
                )
                """,
                [SQLValue(history.transactionKey), SQLValue(history.kind), SQLValue(limit: history.keptMaximum)]
            )
        }
        grownHistories = []
    }

    func append(_ link: AuditLink) throws {
        let inserted = try run(
            """
            INSERT INTO audit (sequence, date, uid, action, subject, detail, reason, previous_hash, hash)
            SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9
            WHERE ?1 = 1 + coalesce((SELECT max(sequence) FROM audit), 0)
            """,
            link.values
        )
        guard inserted == 1 else {
            throw TillError(.failedPrecondition, "Link \(link.sequence) is not the next of the audit log.")
        }
    }

    func setSetting(_ name: String, to value: String?) throws {
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

extension HistoryRecord {
    static let selection = "SELECT key, transaction_key, date, kind, actor, detail FROM history"

    init(_ columns: inout Columns) throws {
        columns.skip(1)
        self.init(
            transactionKey: try columns.integer(),
            date: try columns.date(),
            kind: try columns.value(Kind.self),
            actor: try columns.text(),
            detail: try columns.text()
        )
    }

    /// The values of the columns from `transaction_key` on.
    var values: [SQLValue] {
        [SQLValue(transactionKey), SQLValue(date), SQLValue(kind.rawValue), SQLValue(actor), SQLValue(detail)]
    }
}

extension AuditLink {
    static let selection =
        "SELECT sequence, date, uid, action, subject, detail, reason, previous_hash, hash FROM audit"

    init(_ columns: inout Columns) throws {
        let sequence = try columns.integer()
        let date = try columns.date()
        guard let uid = UInt32(exactly: try columns.integer()) else {
            throw columns.unreadable()
        }
        self.init(
            sequence: sequence,
            date: date,
            uid: uid,
            action: try columns.text(),
            subject: try columns.text(),
            detail: try columns.text(),
            reason: try columns.text(),
            previousHash: try columns.bytes(),
            hash: try columns.bytes()
        )
    }

    var values: [SQLValue] {
        [
            SQLValue(sequence), SQLValue(date), SQLValue(Int64(uid)), SQLValue(action), SQLValue(subject),
            SQLValue(detail), SQLValue(reason), SQLValue(previousHash), SQLValue(hash),
        ]
    }
}
