package import FoundationEssentials

/// What lies under the final name of a download, or what the store hosts for it.
package struct Content: Hashable, Sendable, Codable {
    /// A file's bytes, in short.
    package struct Digest: Hashable, Sendable, Codable {
        package var length: Int
        /// SHA-256.
        package var hash: [UInt8]

        package init(length: Int, hash: [UInt8]) {
            self.length = length
            self.hash = hash
        }
    }

    /// Which piece of a product it is.
    package var identifier: String
    /// By the path below the content; empty for a content that is one file.
    package var files: [String: Digest]

    package init(identifier: String, files: [String: Digest]) {
        self.identifier = identifier
        self.files = files
    }
}

/// What an application may find at one of its downloads' final names.
package struct PublishedContent: Hashable, Sendable {
    package var download: UUID
    /// Nil when there is none.
    package var content: Content?

    package init(download: UUID, content: Content?) {
        self.download = download
        self.content = content
    }
}
