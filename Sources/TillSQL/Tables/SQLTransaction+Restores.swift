package import FoundationEssentials
package import TillEngine
import TillModel

extension SQLTransaction: RestoreReader {
    package func restore(_ id: UUID) throws -> RestoreRecord? {
        try rows(
            of: RestoreRecord.self,
            "WHERE id = coalesce((SELECT j.restore_id FROM joined_restores j WHERE j.id = ?1), ?1)",
            [SQLValue(id)]
        ).first
    }

    package func joinableRestore(in queue: Int64, applicationUsername: String?) throws -> RestoreRecord? {
        try rows(
            of: RestoreRecord.self,
            """
            WHERE queue = ?1 AND state = 0 AND cursor = 0 AND application_username IS NOT DISTINCT FROM ?2
            ORDER BY created_at, key LIMIT 1
            """,
            [SQLValue(queue), SQLValue(applicationUsername)]
        ).first
    }

    package func runningRestores(limit: Int) throws -> [RestoreRecord] {
        try rows(
            of: RestoreRecord.self,
            "WHERE state = 0 ORDER BY created_at, key LIMIT ?1",
            [SQLValue(limit: limit)],
            skipsUnreadable: true
        )
    }
}

extension SQLTransaction: RestoreWriter {
    package func insert(_ restore: RestoreRecord) throws {
        try insertRow(restore)
    }

    package func insert(joined id: UUID, to restore: UUID) throws {
        try run(
            "INSERT INTO joined_restores (id, restore_id) VALUES (?1, ?2)",
            [SQLValue(id), SQLValue(restore)]
        )
    }

    package func update(_ restore: RestoreRecord) throws {
        try updateRow(restore, orThrow: "The ledger has no restore \(restore.id.text).")
    }
}

extension RestoreRecord: TableRow {
    package static let table = Table<Self>("restores")

    package init(_ coder: inout some ColumnCoder, _ value: Self?) throws {
        let id = try coder.uuid("id", value?.id)
        let queue = try coder.integer("queue", value?.queue)
        let username = try coder.textIfPresent("application_username", value?.applicationUsername)
        let revision = try coder.revision("revision", value?.revision)
        let total = try coder.int("total", value?.total)
        let createdAt = try coder.date("created_at", value?.createdAt)
        coder.beginChanging()
        self.init(
            id: id,
            queue: queue,
            applicationUsername: username,
            state: try coder.choice("state", value?.state),
            revision: revision,
            cursor: try coder.integer("cursor", value?.cursor),
            count: try coder.int("count", value?.count),
            total: total,
            error: try PaymentError.describe(&coder, value?.error),
            createdAt: createdAt,
            deadline: try coder.date("deadline", value?.deadline)
        )
    }
}
