/// Lies beside what is published, in the directory that became visible as one: this is whole.
struct PublishedMark: Hashable, Sendable {
    /// No identifier has a `~`.
    static let name = "~whole"
    static let maximumBytes = 256

    /// Of what was downloaded.
    var sha256: [UInt8]
    /// What it takes of the disk, in bytes.
    var size: Int64

    var text: String { "\(Hexadecimal.text(sha256))\n\(size)\n" }

    init(sha256: [UInt8], size: Int64) {
        self.sha256 = sha256
        self.size = size
    }

    /// - Returns: Nil when the text is not whole.
    init?(text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count == 3, let sha256 = Hexadecimal.bytes(String(lines[0])), let size = Int64(lines[1]), size >= 0
        else {
            return nil
        }
        self.init(sha256: sha256, size: size)
    }
}
