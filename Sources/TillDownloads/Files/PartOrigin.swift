/// What a part is a part of: it goes on only from the same place, with the same validator.
struct PartOrigin: Hashable, Sendable {
    /// What is read of a file that says it; no more is ever written.
    static let maximumBytes = 16 * 1024

    /// Of the whole content.
    var sha256: [UInt8]
    /// Where the validator comes from.
    var url: String
    /// A strong entity tag, or what serves as one.
    var validator: String

    /// One line each; nil when it would not be read again as it is.
    var text: String? {
        let lines = [Hexadecimal.text(sha256), url, validator]
        let text = lines.map { $0 + "\n" }.joined()
        return text.utf8.count <= Self.maximumBytes && Self(text: text) == self ? text : nil
    }

    init(sha256: [UInt8], url: String, validator: String) {
        self.sha256 = sha256
        self.url = url
        self.validator = validator
    }

    /// - Returns: Nil when the text is not whole.
    init?(text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard lines.count == 4, let sha256 = Hexadecimal.bytes(lines[0]), lines[3].isEmpty else {
            return nil
        }
        self.init(sha256: sha256, url: lines[1], validator: lines[2])
    }
}
