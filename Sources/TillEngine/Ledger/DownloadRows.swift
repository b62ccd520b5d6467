package import FoundationEssentials

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
    /// The identities of all downloads.
    func downloadIDs() throws -> Set<UUID>
    /// What the downloads of an account take of the disk: the sizes of the finished ones, and the lengths of those that
    /// are active or paused.
    func downloadBytes(ofAccount account: String) throws -> Int64
}

package protocol DownloadWriter {
    /// Inserts the download under a new key, above all keys before, and returns the key.
    func insert(_ download: DownloadRecord) throws -> Int64
    /// Replaces what may change of a download: state, revision, received bytes, run, deadline, error, path, size.
    func update(_ download: DownloadRecord) throws
    func deleteDownloads(ofTransaction key: Int64) throws
}
