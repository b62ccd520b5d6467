package import FoundationEssentials
package import TillEngine
import TillModel

extension SQLTransaction: DownloadReader {
    package func download(_ id: UUID) throws -> DownloadRecord? {
        try rows(of: DownloadRecord.self, "WHERE id = ?1", [SQLValue(id)]).first
    }

    package func downloads(ofTransaction key: Int64) throws -> [DownloadRecord] {
        try rows(of: DownloadRecord.self, "WHERE transaction_key = ?1 ORDER BY key", [SQLValue(key)])
    }

    package func downloads(in queue: Int64, afterKey key: Int64, limit: Int) throws -> [DownloadRecord] {
        try rows(
            of: DownloadRecord.self,
            "WHERE queue = ?1 AND key > ?2 ORDER BY key LIMIT ?3",
            [SQLValue(queue), SQLValue(key), SQLValue(limit: limit)]
        )
    }

    package func downloads(in queue: Int64, changedAfter revision: UInt64, limit: Int) throws -> [DownloadRecord] {
        try rows(
            of: DownloadRecord.self,
            "WHERE queue = ?1 AND revision > ?2 ORDER BY revision, key LIMIT ?3",
            [SQLValue(queue), SQLValue(revision), SQLValue(limit: limit)]
        )
    }

    package func activeDownloads(limit: Int) throws -> [DownloadRecord] {
        try rows(
            of: DownloadRecord.self,
            "WHERE state = 1 ORDER BY key LIMIT ?1",
            [SQLValue(limit: limit)],
            skipsUnreadable: true
        )
    }

    package func downloadIDs() throws -> Set<UUID> {
        Set(try rows(of: "downloads", "SELECT id FROM downloads", []) { try $0.uuid("id", nil) })
    }

    package func downloadBytes(ofAccount account: String) throws -> Int64 {
        try rows(
            of: "downloads",
            """
            SELECT \(dialect.boundedSum(of: "CASE state WHEN 3 THEN size ELSE content_length END")) FROM downloads
            WHERE state IN (1, 2, 3) AND queue IN (SELECT key FROM queues WHERE account = ?1)
            """,
            [SQLValue(account)]
        ) { try $0.byteCount("size", nil) }.first ?? 0
    }
}

extension SQLTransaction: DownloadWriter {
    package func insert(_ download: DownloadRecord) throws -> Int64 {
        try insertKeyedRow(download)
    }

    package func update(_ download: DownloadRecord) throws {
        try updateRow(download, orThrow: "The ledger has no download \(download.key).")
    }

    package func deleteDownloads(ofTransaction key: Int64) throws {
        try run("DELETE FROM downloads WHERE transaction_key = ?1", [SQLValue(key)])
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
