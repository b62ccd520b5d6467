package import FoundationEssentials

/// The content under the final name of a download, or the content that the store hosts for it.
package struct Content: Hashable, Sendable, Codable {
    /// A digest of a file's bytes.
    package struct Digest: Hashable, Sendable, Codable {
        package var length: Int
        /// SHA-256.
        package var hash: [UInt8]

        package init(length: Int, hash: [UInt8]) {
            self.length = length
            self.hash = hash
        }
    }

    /// The identifier of this content among those of a product.
    package var identifier: String
    /// The files by their path below the content. A content that is a single file has an empty path.
    package var files: [String: Digest]

    package init(identifier: String, files: [String: Digest]) {
        self.identifier = identifier
        self.files = files
    }
}

/// The content that an application may find under the final name of a download.
package struct PublishedContent: Hashable, Sendable {
    package var download: UUID
    /// The content; nil if there is none.
    package var content: Content?

    package init(download: UUID, content: Content?) {
        self.download = download
        self.content = content
    }
}
