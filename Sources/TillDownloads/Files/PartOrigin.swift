/// The origin of a part. A part is resumed only from the same source with the same validator.
struct PartOrigin: Hashable, Sendable {
    /// The maximum size of an origin file.
    static let maximumBytes = 16 * 1024

    /// The SHA-256 of the complete content.
    var sha256: [UInt8]
    /// The source of the validator.
    var url: String
    /// A strong entity tag or an equivalent.
    var validator: String

    /// The file's text, one line per value; nil if it could not be read back unchanged.
    var text: String? {
        let lines = [sha256.hexadecimal, url, validator]
        let text = lines.map { $0 + "\n" }.joined()
        return text.utf8.count <= Self.maximumBytes && Self(text: text) == self ? text : nil
    }

    init(sha256: [UInt8], url: String, validator: String) {
        self.sha256 = sha256
        self.url = url
        self.validator = validator
    }

    /// - Returns: Nil if the text is incomplete.
    init?(text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard lines.count == 4, let sha256 = [UInt8](hexadecimal: lines[0]), lines[3].isEmpty else {
            return nil
        }
        self.init(sha256: sha256, url: lines[1], validator: lines[2])
    }
}
