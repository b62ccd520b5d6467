import FoundationEssentials
import TillModel

/// The first characters of a UUID, at least four, or all of it.
struct IdentityPrefix: ArgumentText, Hashable, Sendable {
    static let charactersMinimum = 4

    /// In lower case.
    let text: String

    static let rule = "write a UUID, or at least its first four digits"

    init?(argument: String) {
        let text = argument.lowercased()
        // The hyphens of a UUID stand at fixed places, so that a UUID begins with the text only if its digits do.
        let digits = text.filter { $0 != "-" }
        guard digits.count >= Self.charactersMinimum, text.count <= 36, digits.allSatisfy(\.isHexDigit),
            text.utf8.count == text.count
        else {
            return nil
        }
        self.text = text
    }

    func matches(_ id: UUID) -> Bool {
        id.text.hasPrefix(text)
    }
}
