package import FoundationEssentials
package import TillModel

/// Fetches content and keeps it for the accounts. Every method may be called again with the same download, after any
/// crash.
package protocol ContentDownloader: Sendable {
    /// Fetches the content until it is whole, checked, published and durable; or until the task is cancelled, which keeps
    /// what is here of it for the next call.
    ///
    /// A call at a time for each download. Errors of the network are tried again until the task is cancelled; others end
    /// the download, and what was here of it is gone.
    ///
    /// - Parameter progress: Called at most ten times a second.
    func download(
        _ order: DownloadOrder,
        progress: @escaping @Sendable (DownloadProgress) -> Void
    ) async -> DownloadOutcome
    /// Removes all that is here of the download, published or not; harmless when there is nothing, or when it fails.
    ///
    /// Not while ``download(_:progress:)`` is at work on it.
    func remove(_ id: UUID, of queue: QueueName) async
    /// Whether what was published of the download is no longer there; false also when nobody can tell.
    ///
    /// - Parameter content: The content's identifier.
    func hasLost(_ id: UUID, content: String, of queue: QueueName) async -> Bool
    /// Removes what is here of all other downloads. Called before any download begins.
    func removeAll(except kept: Set<UUID>) async
}

/// What is to be fetched, and for whom.
package struct DownloadOrder: Hashable, Sendable {
    /// The download's identity, which names its files.
    package var id: UUID
    package var queue: QueueName
    package var source: ContentSource

    package init(id: UUID, queue: QueueName, source: ContentSource) {
        self.id = id
        self.queue = queue
        self.source = source
    }
}

package struct DownloadProgress: Hashable, Sendable {
    package var receivedBytes: Int64
    /// Nil when nobody can tell.
    package var timeRemaining: Duration?

    package init(receivedBytes: Int64, timeRemaining: Duration? = nil) {
        self.receivedBytes = receivedBytes
        self.timeRemaining = timeRemaining
    }
}

package enum DownloadOutcome: Hashable, Sendable {
    /// Whole and durable at the path, which is absolute; `size` is what it takes of the disk.
    case published(path: String, size: Int64)
    case failed(DownloadError)
    /// The task was cancelled.
    case stopped(receivedBytes: Int64)
}
