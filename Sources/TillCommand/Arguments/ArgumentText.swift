import ArgumentParser
import FoundationEssentials
import TillModel
import TillOutput

/// A value that is parsed from an argument's text.
protocol ArgumentText {
    /// The advice in the error about a wrong argument, for example `use a complete UUID`.
    static var rule: String { get }

    init?(argument: String)
}

extension ArgumentText {
    static func parse(_ argument: String) throws -> Self {
        guard let value = Self(argument: argument) else {
            throw ValidationError(rule)
        }
        return value
    }
}

/// A case of an enumeration, by its name with hyphens: `needs-review`.
struct CaseArgument<Value: CaseNamed & Sendable>: ExpressibleByArgument, Sendable {
    let value: Value

    init(_ value: Value) {
        self.value = value
    }

    init?(argument: String) {
        guard let value = Value.named(argument, separator: "-") else {
            return nil
        }
        self.value = value
    }

    var defaultValueDescription: String {
        value.words(separator: "-")
    }

    static var allValueStrings: [String] {
        Value.allCases.map { $0.words(separator: "-") }
    }

    static var defaultCompletionKind: CompletionKind {
        .list(allValueStrings)
    }
}

/// The complete UUID of a payment, a refund or a restore.
struct IdentityArgument: ArgumentText, Hashable, Sendable {
    let uuid: UUID

    static let rule = "use a complete UUID"

    init?(argument: String) {
        guard let uuid = UUID(uuidString: argument) else {
            return nil
        }
        self.uuid = uuid
    }
}

/// The first characters of a UUID, at least four of them, or the complete UUID.
struct IdentityPrefix: ArgumentText, Hashable, Sendable {
    static let charactersMinimum = 4

    /// The prefix in lower case.
    let text: String

    static let rule = "use a UUID or at least its first four digits"

    init?(argument: String) {
        let text = argument.lowercased()
        // The hyphens of a UUID have fixed positions, so a UUID begins with the text only if its digits do.
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

extension TillError {
    /// The error about an argument that matches several things, for example two transactions.
    ///
    /// - Parameters:
    ///   - kind: The kind of thing, for example `transaction`.
    ///   - argument: The argument as it was written.
    static func ambiguous(_ kind: String, _ argument: String, _ first: UUID, _ second: UUID) -> TillError {
        TillError(
            .invalidArgument,
            "Ambiguous \(kind) \(argument): it matches \(first.text) and \(second.text); use more digits."
        )
    }
}
