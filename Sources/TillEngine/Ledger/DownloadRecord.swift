package import FoundationEssentials
package import TillModel

/// A download as the ledger keeps it, until its transaction is finished. Its `revision` is its last change's place in the
/// queue's change log.
package struct DownloadRecord: Hashable, Sendable {
    /// The ledger's key, rising with time; 0 until inserted.
    package var key: Int64
    package var id: UUID
    package var queue: Int64
    package var transactionKey: Int64
    package var transactionID: UUID
    package var productID: String
    package var content: ProductContent
    /// The checksum of the downloaded file: 32 bytes.
    package var sha256: [UInt8]
    package var state: DownloadState
    package var revision: UInt64
    /// As of the last change that was stored.
    package var receivedBytes: Int64
    /// Rises with each start and resume: reports of earlier runs are ignored.
    package var run: Int64
    /// When an active download fails at the latest.
    package var deadline: Date?
    package var error: DownloadError?
    /// The path of the content, once finished.
    package var path: String?
    /// Bytes that it takes on the disk, once finished.
    package var size: Int64

    package init(
        key: Int64 = 0,
        id: UUID,
        queue: Int64,
        transactionKey: Int64,
        transactionID: UUID,
        productID: String,
        content: ProductContent,
        sha256: [UInt8],
        state: DownloadState = .waiting,
        revision: UInt64 = 0,
        receivedBytes: Int64 = 0,
        run: Int64 = 0,
        deadline: Date? = nil,
        error: DownloadError? = nil,
        path: String? = nil,
        size: Int64 = 0
    ) {
        self.key = key
        self.id = id
        self.queue = queue
        self.transactionKey = transactionKey
        self.transactionID = transactionID
        self.productID = productID
        self.content = content
        self.sha256 = sha256
        self.state = state
        self.revision = revision
        self.receivedBytes = receivedBytes
        self.run = run
        self.deadline = deadline
        self.error = error
        self.path = path
        self.size = size
    }
}

extension DownloadRecord {
    /// The download as applications see it.
    package var download: Download {
        Download(
            id: id,
            transactionID: transactionID,
            productID: productID,
            content: content,
            state: state,
            receivedBytes: receivedBytes,
            error: error,
            contentPath: path
        )
    }
}

/// What is left of a download when its transaction ends at another host: the files, which this one has to remove.
package struct EndedDownload: Hashable, Sendable {
    package var key: Int64
    package var id: UUID
    package var queue: Int64

    package init(key: Int64, id: UUID, queue: Int64) {
        self.key = key
        self.id = id
        self.queue = queue
    }
}

/// Reads downloads. Of a ledger that several hosts share, those of this host: each has files, a state and an error of its own for
/// the same download, which waits where it was never started.
package protocol DownloadReader {
    func download(_ id: UUID) throws -> DownloadRecord?
    /// The transaction's downloads, by key.
    func downloads(ofTransaction key: Int64) throws -> [DownloadRecord]
    /// The queue's downloads with a key above `key`, by key.
    func downloads(in queue: Int64, afterKey key: Int64, limit: Int) throws -> [DownloadRecord]
    /// The queue's downloads whose last change is after `revision`, by revision.
    func downloads(in queue: Int64, changedAfter revision: UInt64, limit: Int) throws -> [DownloadRecord]
    /// Active downloads of all queues, by key.
    func activeDownloads(limit: Int) throws -> [DownloadRecord]
    /// The identities of all downloads that may have files.
    func downloadIDs() throws -> Set<UUID>
    /// Bytes that the account's downloads take on the disk: the sizes of the finished ones, and the lengths of those
    /// that are active or paused.
    func downloadBytes(ofAccount account: String) throws -> Int64
    /// Downloads of this host whose transactions have ended at another one, by key.
    func endedDownloads(limit: Int) throws -> [EndedDownload]
}

package protocol DownloadWriter {
    /// Inserts a download, which waits at every host, under a new key above all keys before, and returns the key.
    func insert(_ download: DownloadRecord) throws -> Int64
    /// Replaces the columns that may change: state, revision, received bytes, run, deadline, error, path, size.
    func update(_ download: DownloadRecord) throws
    /// Deletes the transaction's downloads. Those of other hosts become ``DownloadReader/endedDownloads(limit:)``.
    func deleteDownloads(ofTransaction key: Int64) throws
    func deleteEndedDownload(_ key: Int64) throws
}
