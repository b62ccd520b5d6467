/// The hash of a link of the audit log: 64 hexadecimal digits.
struct AuditHash: ArgumentText, Hashable, Sendable {
    static let digitCount = 64

    /// In lower case.
    let text: String

    static let rule = "a hash has 64 hexadecimal digits, as till audit verify prints it"

    init?(argument: String) {
        let text = argument.lowercased()
        guard text.utf8.count == Self.digitCount, text.count == Self.digitCount, text.allSatisfy(\.isHexDigit) else {
            return nil
        }
        self.text = text
    }
}
