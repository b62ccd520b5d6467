package import FoundationEssentials
package import TillModel

/// Fetches content and keeps it for the accounts. Every method may be called again with the same download, after any
/// crash.
package protocol ContentDownloader: Sendable {
    /// Fetches the content until it is complete, checked, published and durable, or until the task is cancelled, which
    /// keeps partial data for the next call.
    ///
    /// One call at a time for each download. Network errors are retried until the task is cancelled; other errors end
    /// the download and remove its data.
    ///
    /// - Parameter progress: Called at most ten times a second.
    func download(
        _ order: ContentOrder,
        progress: @escaping @Sendable (DownloadProgress) -> Void
    ) async -> DownloadOutcome
    /// Removes all data of the download, published or not. It is harmless when there is none, or when it fails.
    ///
    /// Do not call this while ``download(_:progress:)`` runs for the download.
    func remove(_ id: UUID, of queue: QueueName) async
    /// Whether the published content of the download is gone; false also when that is unknown.
    ///
    /// - Parameter content: The content's identifier.
    func hasLost(_ id: UUID, content: String, of queue: QueueName) async -> Bool
    /// Removes the data of all other downloads. Called before any download begins.
    func removeAll(except kept: Set<UUID>) async
}

/// The content to fetch, and the queue to fetch it for.
package struct ContentOrder: Hashable, Sendable {
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
    /// Nil when unknown.
    package var timeRemaining: Duration?

    package init(receivedBytes: Int64, timeRemaining: Duration? = nil) {
        self.receivedBytes = receivedBytes
        self.timeRemaining = timeRemaining
    }
}

package enum DownloadOutcome: Hashable, Sendable {
    /// Complete and durable at the path, which is absolute; `size` is the bytes that it takes on the disk.
    case published(path: String, size: Int64)
    case failed(DownloadError)
    /// The task was cancelled.
    case stopped(receivedBytes: Int64)
}
