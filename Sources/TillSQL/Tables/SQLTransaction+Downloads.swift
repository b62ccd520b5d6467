package import FoundationEssentials
package import TillEngine
import TillModel

extension SQLTransaction: DownloadReader {
    package func download(_ id: UUID) throws -> DownloadRecord? {
        try downloads("WHERE id = ?1", [SQLValue(id)]).first
    }

    package func downloads(ofTransaction key: Int64) throws -> [DownloadRecord] {
        try downloads("WHERE transaction_key = ?1 ORDER BY key", [SQLValue(key)])
    }

    package func downloads(in queue: Int64, afterKey key: Int64, limit: Int) throws -> [DownloadRecord] {
        try downloads(
            "WHERE queue = ?1 AND key > ?2 ORDER BY key LIMIT ?3",
            [SQLValue(queue), SQLValue(key), SQLValue(limit: limit)]
        )
    }

    package func downloads(in queue: Int64, changedAfter revision: UInt64, limit: Int) throws -> [DownloadRecord] {
        let isNamed = host == nil ? "queue = ?1 AND revision > ?2" : HostDownloads.isAmongChanged
        return try downloads(
            "WHERE \(isNamed) ORDER BY revision, key LIMIT ?3",
            [SQLValue(queue), SQLValue(revision), SQLValue(limit: limit)]
        )
    }

    package func activeDownloads(limit: Int) throws -> [DownloadRecord] {
        try downloads(
            "WHERE \(host == nil ? "state = 1" : HostDownloads.isAmongActive) ORDER BY key LIMIT ?1",
            [SQLValue(limit: limit)],
            skipsUnreadable: true
        )
    }

    package func downloadIDs() throws -> Set<UUID> {
        let sql = host == nil ? "SELECT id FROM downloads" : HostDownloads.identities
        return Set(try rows(of: "downloads", sql, withHost([])) { try $0.uuid("id", nil) })
    }

    package func downloadBytes(ofAccount account: String) throws -> Int64 {
        let bytes = dialect.boundedSum(of: "CASE state WHEN 3 THEN size ELSE content_length END")
        return try rows(
            of: "downloads",
            """
            SELECT \(bytes) FROM \(host == nil ? "downloads" : HostDownloads.started)
            WHERE state IN (1, 2, 3) AND queue IN (SELECT key FROM queues WHERE account = ?1)
            """,
            withHost([SQLValue(account)])
        ) { try $0.byteCount("size", nil) }.first ?? 0
    }

    package func endedDownloads(limit: Int) throws -> [EndedDownload] {
        guard host != nil else {
            return []
        }
        return try rows(of: "host_downloads", HostDownloads.ended, withHost([SQLValue(limit: limit)])) { columns in
            EndedDownload(
                key: try columns.integer("key", nil),
                id: try columns.uuid("id", nil),
                queue: try columns.integer("queue", nil)
            )
        }
    }

    /// The downloads that meet the condition, as this daemon has them.
    private func downloads(
        _ condition: String,
        _ values: [SQLValue],
        skipsUnreadable: Bool = false
    ) throws -> [DownloadRecord] {
        let source = host == nil ? DownloadRecord.table.name : HostDownloads.all(host: values.count + 1)
        let sql = "SELECT \(DownloadRecord.table.columns) FROM \(source) \(condition)"
        return try rows(
            of: DownloadRecord.table.name,
            sql,
            withHost(values),
            skipsUnreadable: skipsUnreadable
        ) { try DownloadRecord(&$0, nil) }
    }

    /// The values, and this daemon's name as the last of them if others share the ledger.
    private func withHost(_ values: [SQLValue]) -> [SQLValue] {
        values + (host.map { [SQLValue($0)] } ?? [])
    }
}

extension SQLTransaction: DownloadWriter {
    package func insert(_ download: DownloadRecord) throws -> Int64 {
        try insertKeyedRow(download)
    }

    package func update(_ download: DownloadRecord) throws {
        let message = "The ledger has no download \(download.key)."
        guard host != nil else {
            return try updateRow(download, orThrow: message)
        }
        let values = withHost(try DownloadRecord.table.updateValues(of: download))
        guard try run(HostDownloads.replacement, values) == 1 else {
            throw TillError(.notFound, message)
        }
    }

    package func deleteDownloads(ofTransaction key: Int64) throws {
        if dialect == .postgresql {
            try run(HostDownloads.ending, [SQLValue(key), SQLValue(host ?? "")])
        }
        try run("DELETE FROM downloads WHERE transaction_key = ?1", [SQLValue(key)])
    }

    package func deleteEndedDownload(_ key: Int64) throws {
        try run("DELETE FROM host_downloads WHERE key = ?1 AND host = ?2", withHost([SQLValue(key)]))
    }
}

extension DownloadRecord: TableRow {
    package static let table = Table<Self>("downloads", refersToTransactions: true, givesKeys: true)

    package init(_ coder: inout some ColumnCoder, _ value: Self?) throws {
        let key = try coder.integer("key", value?.key)
        let id = try coder.uuid("id", value?.id)
        let queue = try coder.integer("queue", value?.queue)
        let transactionKey = try coder.integer("transaction_key", value?.transactionKey)
        let transactionID = try coder.uuid("transaction_id", value?.transactionID)
        let productID = try coder.text("product_id", value?.productID)
        let content = ProductContent(
            identifier: try coder.text("content_id", value?.content.identifier),
            version: try coder.text("content_version", value?.content.version),
            length: try coder.byteCount("content_length", value?.content.length)
        )
        let sha256 = try coder.bytes("sha256", value?.sha256, count: 32)
        coder.beginChanging()
        self.init(
            key: key,
            id: id,
            queue: queue,
            transactionKey: transactionKey,
            transactionID: transactionID,
            productID: productID,
            content: content,
            sha256: sha256,
            state: try coder.choice("state", value?.state),
            revision: try coder.revision("revision", value?.revision),
            receivedBytes: try coder.byteCount("received_bytes", value?.receivedBytes),
            run: try coder.integer("run", value?.run),
            deadline: try coder.dateIfPresent("deadline", value?.deadline),
            error: try DownloadError.describe(&coder, value?.error),
            path: try coder.textIfPresent("path", value?.path),
            size: try coder.byteCount("size", value?.size)
        )
    }
}

extension DownloadError {
    fileprivate static func describe(_ coder: inout some ColumnCoder, _ value: Self?) throws -> Self? {
        let reason: Reason? = try coder.choiceIfPresent("error_reason", value?.reason)
        let message = try coder.textIfPresent("error_message", value?.message)
        return try reason.map { DownloadError($0, try coder.required(message, of: "error_message")) }
    }
}
