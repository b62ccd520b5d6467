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

/// The error of a failed download.
public struct DownloadError: Error, Hashable, Sendable {
    public var reason: Reason
    /// One sentence for people; do not parse it.
    public var message: String

    public init(_ reason: Reason, _ message: String) {
        self.reason = reason
        self.message = message
    }

    public enum Reason: Int, Hashable, Sendable, CaseIterable {
        /// The store's server could not be reached, or the connection failed, until all retries were used.
        case network = 1
        /// The server, or the local file system, does not have the content or refuses it.
        case unavailable = 2
        /// The content's length differs from the catalogue.
        case length = 3
        /// The content's SHA-256 differs from the catalogue.
        case checksum = 4
        /// The archive is invalid, or contains entries that are refused: a link, a path outside the directory, too much
        /// data.
        case archive = 5
        /// The account has used its download quota.
        case quota = 6
        /// The disk is full or nearly full.
        case noSpace = 7
        /// A file could not be written or made accessible to the account.
        case storage = 8
        /// The download took too long.
        case expired = 9
        /// The store no longer has this version of the content; restore the purchase to get the current one.
        case withdrawn = 10
    }
}

/// A piece of content that the store hosts for a product (https://developer.apple.com/documentation/storekit/skdownload).
public struct ProductContent: Hashable, Sendable {
    /// Identifies the piece within the product: 1 to 128 bytes of `A-Z a-z 0-9 . _ : -`.
    public var identifier: String
    /// Integers separated by periods, for example `1.2`.
    public var version: String
    /// The length of the download in bytes; at least 1.
    public var length: Int64

    public init(identifier: String, version: String, length: Int64) {
        self.identifier = identifier
        self.version = version
        self.length = length
    }
}

/// A piece of content with its source, from the catalogue.
package struct ContentSource: Hashable, Sendable {
    package enum Archive: String, Hashable, Sendable, CaseIterable {
        case tar
        case zip
    }

    package var content: ProductContent
    /// The SHA-256 of the download: 32 bytes.
    package var sha256: [UInt8]
    /// An absolute URL with the scheme `file`, `http` or `https`.
    package var url: URL
    /// The archive format; nil for a file that is not unpacked.
    package var archive: Archive?

    package init(content: ProductContent, sha256: [UInt8], url: URL, archive: Archive? = nil) {
        self.content = content
        self.sha256 = sha256
        self.url = url
        self.archive = archive
    }
}
