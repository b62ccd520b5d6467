import FoundationEssentials
import TillEngine
import TillModel

extension SQLiteTransaction: DownloadReader {
    func download(_ id: UUID) throws -> DownloadRecord? {
        try downloads("WHERE id = ?1", [SQLValue(id)]).first
    }

    func downloads(ofTransaction key: Int64) throws -> [DownloadRecord] {
        try downloads("WHERE transaction_key = ?1 ORDER BY key", [SQLValue(key)])
    }

    func downloads(in queue: Int64, afterKey key: Int64, limit: Int) throws -> [DownloadRecord] {
        try downloads(
            "WHERE queue = ?1 AND key > ?2 ORDER BY key LIMIT ?3",
            [SQLValue(queue), SQLValue(key), SQLValue(limit: limit)]
        )
    }

    func downloads(in queue: Int64, changedAfter revision: UInt64, limit: Int) throws -> [DownloadRecord] {
        try downloads(
            "WHERE queue = ?1 AND revision > ?2 ORDER BY revision, key LIMIT ?3",
            [SQLValue(queue), SQLValue(revision), SQLValue(limit: limit)]
        )
    }

    func activeDownloads(limit: Int) throws -> [DownloadRecord] {
        try downloads("WHERE state = 1 ORDER BY key LIMIT ?1", [SQLValue(limit: limit)], skipsUnreadable: true)
    }

    func downloadIDs() throws -> Set<UUID> {
        Set(try rows(of: "downloads", "SELECT id FROM downloads", []) { try $0.uuid() })
    }

    /// Where `sum` would fail for a sum that no integer holds, `total` and the cast give the greatest.
    func downloadBytes(ofAccount account: String) throws -> Int64 {
        try rows(
            of: "downloads",
            """
            SELECT CAST(total(CASE state WHEN 3 THEN size ELSE content_length END) AS INTEGER) FROM downloads
            WHERE state IN (1, 2, 3) AND queue IN (SELECT key FROM queues WHERE account = ?1)
            """,
            [SQLValue(account)]
        ) { try $0.byteCount() }.first ?? 0
    }

    private func downloads(_ condition: String, _ values: [SQLValue], skipsUnreadable: Bool = false) throws
        -> [DownloadRecord]
    {
        let sql = "\(DownloadRecord.selection) \(condition)"
        return try rows(of: "downloads", sql, values, skipsUnreadable: skipsUnreadable, read: DownloadRecord.init)
    }
}

extension SQLiteTransaction: DownloadWriter {
    func insert(_ download: DownloadRecord) throws -> Int64 {
        try insert(
            """
            INSERT INTO downloads (id, queue, transaction_key, transaction_id, product_id, content_id, content_version,
                content_length, sha256, state, revision, received_bytes, run, deadline, error_reason, error_message, path,
                size)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18)
            """,
            download.fixedValues + download.changingValues
        )
    }

    func update(_ download: DownloadRecord) throws {
        try change(
            """
            UPDATE downloads SET state = ?1, revision = ?2, received_bytes = ?3, run = ?4, deadline = ?5,
                error_reason = ?6, error_message = ?7, path = ?8, size = ?9
            WHERE key = ?10
            """,
            download.changingValues + [SQLValue(download.key)],
            orThrow: "The ledger has no download \(download.key)."
        )
    }

    func deleteDownloads(ofTransaction key: Int64) throws {
        try run("DELETE FROM downloads WHERE transaction_key = ?1", [SQLValue(key)])
    }
}
