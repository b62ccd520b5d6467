/// A mark next to published content, in the same directory: it shows that the content is complete.
struct PublishedMark: Hashable, Sendable {
    /// The name of the mark; identifiers never contain a `~`.
    static let name = "~whole"
    static let maximumBytes = 256

    /// The SHA-256 of the download.
    var sha256: [UInt8]
    /// The size on disk in bytes.
    var size: Int64

    var text: String { "\(sha256.hexadecimal)\n\(size)\n" }

    init(sha256: [UInt8], size: Int64) {
        self.sha256 = sha256
        self.size = size
    }

    /// - Returns: Nil if the text is incomplete.
    init?(text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count == 3, let sha256 = [UInt8](hexadecimal: lines[0]), let size = Int64(lines[1]), size >= 0
        else {
            return nil
        }
        self.init(sha256: sha256, size: size)
    }
}
