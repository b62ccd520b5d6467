import FoundationEssentials
import TillModel

/// Follows redirects, up to a maximum number, and never from https to http.
struct Redirection: Sendable {
    static let countMaximum = 5

    private(set) var url: URL
    private var count = 0

    init(from url: URL) {
        self.url = url
    }

    mutating func follow(to location: String) throws(DownloadError) {
        guard count < Self.countMaximum else {
            throw DownloadError(.unavailable, "The server redirected too many times.")
        }
        guard let next = URL(string: location, relativeTo: url)?.absoluteURL, let scheme = next.scheme?.lowercased(),
            scheme == "https" || scheme == "http", next.namesHost, next.hasPossiblePort
        else {
            throw DownloadError(.unavailable, "The server redirected to an invalid URL.")
        }
        guard scheme == "https" || url.scheme?.lowercased() == "http" else {
            throw DownloadError(.unavailable, "The server redirected from https to http.")
        }
        url = next
        count += 1
    }
}
