public import FoundationEssentials

/// A piece of a purchased product's content on its way from the store to this machine
/// (https://developer.apple.com/documentation/storekit/skdownload).
///
/// The daemon downloads, so that a download goes on when the application is gone.
public struct Download: Hashable, Sendable, Identifiable {
    public var id: UUID
    /// The transaction that it belongs to. Once that is finished there are no downloads.
    public var transactionID: UUID
    public var productID: String
    public var content: ProductContent
    public var state: DownloadState
    /// Bytes of the content that are here, at most its length.
    public var receivedBytes: Int64
    /// An estimate while active; nil when nobody can tell.
    public var timeRemaining: Duration?
    /// Present when failed.
    public var error: DownloadError?
    /// Present when finished: where the content lies, a file or the directory of an archive's files. Only the account can
    /// read it, and only until the transaction is finished.
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
    /// From 0 to 1.
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
    /// Whole, checked, and there to be used.
    case finished = 3
    case failed = 4
    case cancelled = 5
}
