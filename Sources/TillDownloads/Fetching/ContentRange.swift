/// The byte range of a partial response (https://www.rfc-editor.org/rfc/rfc9110#section-14.4).
struct ContentRange: Hashable, Sendable {
    var first: Int64
    var last: Int64
    /// The total length; nil if the server does not know it.
    var total: Int64?

    /// - Returns: Nil unless it is a valid range of bytes.
    init?(_ text: String) {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 2, words[0].lowercased() == "bytes" else {
            return nil
        }
        let halves = words[1].split(separator: "/", omittingEmptySubsequences: false)
        guard halves.count == 2 else {
            return nil
        }
        let bounds = halves[0].split(separator: "-", omittingEmptySubsequences: false)
        guard bounds.count == 2, let first = Self.number(bounds[0]), let last = Self.number(bounds[1]), first <= last
        else {
            return nil
        }
        if halves[1] != "*" {
            guard let total = Self.number(halves[1]), last < total else { return nil }
            self.total = total
        }
        self.first = first
        self.last = last
    }

    /// Parses a number that consists of digits only.
    static func number(_ text: Substring) -> Int64? {
        text.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 } ? Int64(text) : nil
    }
}
