/// Why a download failed.
public struct DownloadError: Error, Hashable, Sendable {
    public var reason: Reason
    /// One sentence for people; nobody parses it.
    public var message: String

    public init(_ reason: Reason, _ message: String) {
        self.reason = reason
        self.message = message
    }

    public enum Reason: Int, Hashable, Sendable, CaseIterable {
        /// The store's server could not be reached, or broke off, until nobody tried any more.
        case network = 1
        /// The server, or the disk that the content is on, has no such content or does not give it.
        case unavailable = 2
        /// The content has another length than the store says.
        case length = 3
        /// The content has another SHA-256 than the store says.
        case checksum = 4
        /// The archive is broken, or holds what is not unpacked: a link, a path that leads outside, too much.
        case archive = 5
        /// The account's downloads take all the room that they may.
        case quota = 6
        /// The disk is full, or nearly so.
        case noSpace = 7
        /// A file could not be written, or not be handed to the account.
        case storage = 8
        /// It took too long.
        case expired = 9
        /// The store no longer has this version of the content; a restored transaction has the present one.
        case withdrawn = 10
    }
}
