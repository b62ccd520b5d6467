package import FoundationEssentials

/// A piece of content as the catalogue knows it.
package struct ContentSource: Hashable, Sendable {
    package enum Archive: String, Hashable, Sendable, CaseIterable {
        case tar
        case zip
    }

    package var content: ProductContent
    /// Of what is downloaded: 32 bytes.
    package var sha256: [UInt8]
    /// Absolute; `file`, `http` or `https`.
    package var url: URL
    /// How to unpack it; nil for a file that is used as it is.
    package var archive: Archive?

    package init(content: ProductContent, sha256: [UInt8], url: URL, archive: Archive? = nil) {
        self.content = content
        self.sha256 = sha256
        self.url = url
        self.archive = archive
    }
}
