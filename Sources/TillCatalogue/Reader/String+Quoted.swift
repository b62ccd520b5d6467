import TillModel

extension String {
    /// The text in quotation marks for a message, with escaped control characters, truncated after 80 characters.
    package var quoted: String {
        let limit = 80
        let head = unicodeScalars.prefix(limit)
        let escaped = head.map { $0.isPlain ? String($0) : $0.escaped(asASCII: true) }.joined()
        return "'\(escaped)\(head.count < unicodeScalars.count ? "…" : "")'"
    }
}
