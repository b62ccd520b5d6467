package import FoundationEssentials

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
