import FoundationEssentials
import TillEngine
import TillModel

extension SQLiteTransaction: RestoreReader {
    func restore(_ id: UUID) throws -> RestoreRecord? {
        try restores(
            "WHERE t.id = coalesce((SELECT j.restore_id FROM joined_restores j WHERE j.id = ?1), ?1)",
            [SQLValue(id)]
        ).first
    }

    func joinableRestore(in queue: Int64, applicationUsername: String?) throws -> RestoreRecord? {
        try restores(
            """
            WHERE t.queue = ?1 AND t.state = 0 AND t.cursor = 0 AND t.application_username IS ?2
            ORDER BY t.created_at, t.key LIMIT 1
            """,
            [SQLValue(queue), SQLValue(applicationUsername)]
        ).first
    }

    func runningRestores(limit: Int) throws -> [RestoreRecord] {
        try restores(
            "WHERE t.state = 0 ORDER BY t.created_at, t.key LIMIT ?1",
            [SQLValue(limit: limit)],
            skipsUnreadable: true
        )
    }

    private func restores(_ condition: String, _ values: [SQLValue], skipsUnreadable: Bool = false) throws
        -> [RestoreRecord]
    {
        let sql = "\(RestoreRecord.selection) \(condition)"
        return try rows(of: "restores", sql, values, skipsUnreadable: skipsUnreadable, read: RestoreRecord.init)
    }
}

extension SQLiteTransaction: RestoreWriter {
    func insert(_ restore: RestoreRecord) throws {
        try run(
            """
            INSERT INTO restores (id, queue, application_username, revision, total, created_at, state, cursor, count,
                deadline, error_code, error_message, error_money_moved, error_retry, error_reason, error_provider_code)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)
            """,
            restore.fixedValues + restore.changingValues
        )
    }

    func insert(joined id: UUID, to restore: UUID) throws {
        try run(
            "INSERT INTO joined_restores (id, restore_id) VALUES (?1, ?2)",
            [SQLValue(id), SQLValue(restore)]
        )
    }

    func update(_ restore: RestoreRecord) throws {
        try change(
            """
            UPDATE restores SET state = ?1, cursor = ?2, count = ?3, deadline = ?4, error_code = ?5, error_message = ?6,
                error_money_moved = ?7, error_retry = ?8, error_reason = ?9, error_provider_code = ?10
            WHERE id = ?11
            """,
            restore.changingValues + [SQLValue(restore.id)],
            orThrow: "The ledger has no restore \(restore.id.text)."
        )
    }
}

extension RestoreRecord {
    static let selection = """
        SELECT t.id, t.queue, t.application_username, t.revision, t.total, t.created_at, t.state, t.cursor, t.count,
            t.deadline, \(PaymentError.columns)
        FROM restores t
        """

    init(_ columns: inout Columns) throws {
        let id = try columns.uuid()
        let queue = try columns.integer()
        let username = try columns.textIfPresent()
        let revision = try columns.revision()
        let total = try columns.int()
        let createdAt = try columns.date()
        let state = try columns.value(RestoreState.self)
        let cursor = try columns.integer()
        let count = try columns.int()
        let deadline = try columns.date()
        self.init(
            id: id,
            queue: queue,
            applicationUsername: username,
            state: state,
            revision: revision,
            cursor: cursor,
            count: count,
            total: total,
            error: try PaymentError(ifPresentIn: &columns),
            createdAt: createdAt,
            deadline: deadline
        )
    }

    /// The values of the columns that never change.
    var fixedValues: [SQLValue] {
        [
            SQLValue(id), SQLValue(queue), SQLValue(applicationUsername), SQLValue(revision), SQLValue(total),
            SQLValue(createdAt),
        ]
    }

    /// The values of the columns from `state` on. All of them may change.
    var changingValues: [SQLValue] {
        [SQLValue(state.rawValue), SQLValue(cursor), SQLValue(count), SQLValue(deadline)] + PaymentError.values(error)
    }
}
