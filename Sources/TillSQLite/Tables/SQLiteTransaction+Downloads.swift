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

    /// `sum` would fail if the sum did not fit an integer; `total` and the cast give the greatest integer instead.
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

extension DownloadRecord {
    static let selection = """
        SELECT key, id, queue, transaction_key, transaction_id, product_id, content_id, content_version, content_length,
            sha256, state, revision, received_bytes, run, deadline, error_reason, error_message, path, size
        FROM downloads
        """

    init(_ columns: inout Columns) throws {
        self.init(
            key: try columns.integer(),
            id: try columns.uuid(),
            queue: try columns.integer(),
            transactionKey: try columns.integer(),
            transactionID: try columns.uuid(),
            productID: try columns.text(),
            content: try ProductContent(&columns),
            sha256: try columns.bytes(count: 32),
            state: try columns.value(DownloadState.self),
            revision: try columns.revision(),
            receivedBytes: try columns.byteCount(),
            run: try columns.integer(),
            deadline: try columns.dateIfPresent(),
            error: try DownloadError(ifPresentIn: &columns),
            path: try columns.textIfPresent(),
            size: try columns.byteCount()
        )
    }

    /// The values of the columns that never change.
    var fixedValues: [SQLValue] {
        [
            SQLValue(id), SQLValue(queue), SQLValue(transactionKey), SQLValue(transactionID), SQLValue(productID),
            SQLValue(content.identifier), SQLValue(content.version), SQLValue(content.length), SQLValue(sha256),
        ]
    }

    /// The values of the columns from `state` on. All of them may change.
    var changingValues: [SQLValue] {
        [
            SQLValue(state.rawValue), SQLValue(revision), SQLValue(receivedBytes), SQLValue(run), SQLValue(deadline),
            SQLValue(error?.reason.rawValue), SQLValue(error?.message), SQLValue(path), SQLValue(size),
        ]
    }
}

extension ProductContent {
    fileprivate init(_ columns: inout Columns) throws {
        self.init(
            identifier: try columns.text(),
            version: try columns.text(),
            length: try columns.byteCount()
        )
    }
}

extension DownloadError {
    fileprivate init?(ifPresentIn columns: inout Columns) throws {
        guard let reason = try columns.valueIfPresent(Reason.self) else {
            columns.skip(1)
            return nil
        }
        self.init(reason, try columns.text())
    }
}
