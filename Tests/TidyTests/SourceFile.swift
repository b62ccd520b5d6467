/// A file of the repository, and what a rule asks of it.
struct SourceFile: Sendable {
    /// From the repository's root.
    let path: String
    let text: String
    /// The text with comments and what stands within quotes blanked; empty for what is not Swift.
    let code: String
    /// The text in lines, without their ends.
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

    /// The target below Sources that the file belongs to.
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

    /// A violation for each place in the code that the pattern describes, and that `isViolation` confirms.
    func code<Output>(
        matching pattern: Regex<Output>,
        where isViolation: (Regex<Output>.Match) -> Bool = { _ in true }
    ) -> [Violation] {
        violations(pattern, in: code, where: isViolation)
    }

    /// A violation for each place in the text, comments and all, that the pattern describes.
    func text<Output>(matching pattern: Regex<Output>) -> [Violation] {
        violations(pattern, in: text) { _ in true }
    }

    private func violations<Output>(
        _ pattern: Regex<Output>,
        in text: String,
        where isViolation: (Regex<Output>.Match) -> Bool
    ) -> [Violation] {
        text.matches(of: pattern.overLines).filter(isViolation).map { match in
            // What a match ends with is what broke the rule; it may begin at the end of the line before.
            let index = text[..<match.range.upperBound].utf8.count { $0 == UInt8(ascii: "\n") }
            return violation(atLine: index, lines[index])
        }
    }

    private static func lines(of text: String) -> [Substring] {
        text.split(separator: "\n", omittingEmptySubsequences: false)
    }
}

extension Regex {
    /// The same pattern for a text of lines: `^` and `$` are the ends of a line, and `\b` those of a name.
    fileprivate var overLines: Regex<Output> {
        matchingSemantics(.unicodeScalar).wordBoundaryKind(.simple).anchorsMatchLineEndings()
    }
}
