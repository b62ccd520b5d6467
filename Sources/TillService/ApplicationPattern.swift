import TillModel

/// Which applications a rule is about: one, those below a prefix such as `org.example.*`, or all with `*`.
package struct ApplicationPattern: Hashable, Sendable {
    private let name: String
    /// Whether `name` begins the identifiers, and is not all of them.
    private let isPrefix: Bool

    /// Nil unless the text is an identifier, or one up to a full stop with `*` behind it, or `*` alone.
    package init?(_ text: String) {
        isPrefix = text.hasSuffix("*")
        name = isPrefix ? String(text.dropLast()) : text
        guard isPrefix else {
            guard Identifier.isValid(text) else {
                return nil
            }
            return
        }
        guard name.isEmpty || (name.hasSuffix(".") && name != "." && Identifier.isValid(name)) else {
            return nil
        }
    }

    private init() {
        name = ""
        isPrefix = true
    }

    package static let any = ApplicationPattern()

    package func covers(_ application: String) -> Bool {
        isPrefix ? application.utf8.starts(with: name.utf8) : application.utf8.elementsEqual(name.utf8)
    }
}
