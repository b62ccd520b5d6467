/// Parses entity tags (https://www.rfc-editor.org/rfc/rfc9110#section-8.8.3).
enum EntityTag {
    /// The maximum length of a tag that is stored and sent back.
    static let maximumBytes = 1024

    /// The tag with its quotes if it is a single strong tag; nil if it is weak, invalid or one of several.
    static func strong(_ values: [String]) -> String? {
        guard values.count == 1, let tag = values.first, tag.utf8.count >= 2, tag.utf8.count <= maximumBytes,
            tag.hasPrefix("\""), tag.hasSuffix("\"")
        else {
            return nil
        }
        let isWhole = tag.utf8.dropFirst().dropLast().allSatisfy { $0 == 0x21 || 0x23...0x7e ~= $0 || $0 >= 0x80 }
        return isWhole ? tag : nil
    }
}
