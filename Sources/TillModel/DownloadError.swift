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
