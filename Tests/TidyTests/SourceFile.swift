/// A file of the repository, and what a rule asks of it.
struct SourceFile: Sendable {
    /// From the repository's root.
    let path: String
    let text: String
    /// The text in lines, without their ends.
    let lines: [Substring]
    /// The lines with comments and the contents of texts blanked; what is not Swift has none.
    let codeLines: [Substring]

    init(path: String, text: String) {
        self.path = path
        self.text = text
        lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        codeLines =
            path.hasSuffix(".swift")
            ? SwiftCode.blankingTexts(of: text).split(separator: "\n", omittingEmptySubsequences: false) : []
    }

    var name: Substring {
        path.split(separator: "/").last ?? ""
    }

    var isSwift: Bool {
        path.hasSuffix(".swift")
    }

    /// The target below Sources that the file belongs to.
    var target: String? {
        let parts = path.split(separator: "/")
        return parts.count > 2 && parts[0] == "Sources" ? String(parts[1]) : nil
    }

    var isTest: Bool {
        path.hasPrefix("Tests/")
    }

    func violation(atLine index: Int = 0, _ text: some StringProtocol) -> Violation {
        Violation(path: path, line: index + 1, text: String(text))
    }

    /// The lines of code that contain what the pattern describes.
    func violations<Output>(of pattern: Regex<Output>) -> [Violation] {
        let pattern = pattern.wordBoundaryKind(.simple)
        return codeLines.enumerated().filter { $0.element.contains(pattern) }.map {
            violation(atLine: $0.offset, lines[$0.offset])
        }
    }
}
