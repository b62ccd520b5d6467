import FoundationEssentials
import TillModel

/// Follows a server to another address, so many times and never to a less safe one.
struct Redirection: Sendable {
    static let countMaximum = 5

    private(set) var url: URL
    private var count = 0

    init(from url: URL) {
        self.url = url
    }

    mutating func follow(to location: String) throws(DownloadError) {
        guard count < Self.countMaximum else {
            throw DownloadError(.unavailable, "The server sends from one address to another, and to no content.")
        }
        guard let next = URL(string: location, relativeTo: url)?.absoluteURL, let scheme = next.scheme?.lowercased(),
            scheme == "https" || scheme == "http", next.namesHost, next.hasPossiblePort
        else {
            throw DownloadError(.unavailable, "The server sends to an address that is none.")
        }
        guard scheme == "https" || url.scheme?.lowercased() == "http" else {
            throw DownloadError(.unavailable, "The server sends from a safe address to one that is not.")
        }
        url = next
        count += 1
    }
}
