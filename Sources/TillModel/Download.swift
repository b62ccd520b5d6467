public import FoundationEssentials

/// The download of a piece of a purchased product's content
/// (https://developer.apple.com/documentation/storekit/skdownload).
///
/// The daemon downloads, so a download continues after the application exits.
public struct Download: Hashable, Sendable, Identifiable {
    public var id: UUID
    /// The download's transaction. A finished transaction has no downloads.
    public var transactionID: UUID
    public var productID: String
    public var content: ProductContent
    public var state: DownloadState
    /// The number of received bytes, at most the content's length.
    public var receivedBytes: Int64
    /// The estimated remaining time while active; nil if unknown.
    public var timeRemaining: Duration?
    /// Present if failed.
    public var error: DownloadError?
    /// Present if finished: the path of the content, a file or the directory of an archive's files. Only the account
    /// can read it, and only until the transaction is finished.
    public var contentPath: String?

    public init(
        id: UUID,
        transactionID: UUID,
        productID: String,
        content: ProductContent,
        state: DownloadState = .waiting,
        receivedBytes: Int64 = 0,
        timeRemaining: Duration? = nil,
        error: DownloadError? = nil,
        contentPath: String? = nil
    ) {
        self.id = id
        self.transactionID = transactionID
        self.productID = productID
        self.content = content
        self.state = state
        self.receivedBytes = receivedBytes
        self.timeRemaining = timeRemaining
        self.error = error
        self.contentPath = contentPath
    }
}

extension Download {
    /// The progress from 0 to 1.
    public var progress: Double {
        content.length > 0 ? min(max(Double(receivedBytes) / Double(content.length), 0), 1) : 0
    }
}

/// `SKDownloadState`, by its raw values (https://developer.apple.com/documentation/storekit/skdownloadstate).
public enum DownloadState: Int, Hashable, Sendable, CaseIterable {
    /// Not started.
    case waiting = 0
    case active = 1
    case paused = 2
    /// Complete, verified and ready to use.
    case finished = 3
    case failed = 4
    case cancelled = 5
}
