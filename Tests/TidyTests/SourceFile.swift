/// A file of the repository, as a rule reads it.
struct SourceFile: Sendable {
    /// Relative to the repository's root.
    let path: String
    let text: String
    /// The text with comments and string contents blanked; empty for files that are not Swift.
    let code: String
    /// The lines of the text, without line feeds.
    let lines: [Substring]

    init(path: String, text: String) {
        self.path = path
        self.text = text
        code = path.hasSuffix(".swift") ? SwiftCode.blankingTexts(of: text) : ""
        lines = Self.lines(of: text)
    }

    var name: Substring {
        path.split(separator: "/").last ?? ""
    }

    var isSwift: Bool {
        path.hasSuffix(".swift")
    }

    var isTest: Bool {
        path.hasPrefix("Tests/")
    }

    /// The target in Sources that the file belongs to.
    var target: String? {
        let parts = path.split(separator: "/")
        return parts.count > 2 && parts[0] == "Sources" ? String(parts[1]) : nil
    }

    var codeLines: [Substring] {
        Self.lines(of: code)
    }

    func violation(atLine index: Int = 0, _ text: some StringProtocol) -> Violation {
        Violation(path: path, line: index + 1, text: String(text))
    }

    /// A violation for each match in the code that `isViolation` confirms.
    func code<Output>(
        matching pattern: Regex<Output>,
        where isViolation: (Regex<Output>.Match) -> Bool = { _ in true }
    ) -> [Violation] {
        violations(pattern, in: code, where: isViolation)
    }

    /// A violation for each match in the text, including comments.
    func text<Output>(matching pattern: Regex<Output>) -> [Violation] {
        violations(pattern, in: text) { _ in true }
    }

    private func violations<Output>(
        _ pattern: Regex<Output>,
        in text: String,
        where isViolation: (Regex<Output>.Match) -> Bool
    ) -> [Violation] {
        text.matches(of: pattern.overLines).filter(isViolation).map { match in
            // The end of a match breaks the rule; its beginning may lie on the line before.
            let index = text[..<match.range.upperBound].utf8.count { $0 == UInt8(ascii: "\n") }
            return violation(atLine: index, lines[index])
        }
    }

    private static func lines(of text: String) -> [Substring] {
        text.split(separator: "\n", omittingEmptySubsequences: false)
    }
}

extension Regex {
    /// The same pattern for lines: `^` and `$` match at the ends of a line, and `\b` at those of a name.
    fileprivate var overLines: Regex<Output> {
        matchingSemantics(.unicodeScalar).wordBoundaryKind(.simple).anchorsMatchLineEndings()
    }
}

/// A place in a file that breaks a rule.
struct Violation: Hashable, Sendable, CustomStringConvertible {
    var path: String
    var line: Int
    var text: String

    var description: String {
        "\(path):\(line): \(text)"
    }
}
