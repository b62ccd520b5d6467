/// The lines of a function, an initializer, a subscript or a computed property, from its first keyword to its brace.
struct FunctionSpan: Equatable {
    var first: Int
    var last: Int

    var lineCount: Int {
        last - first + 1
    }

    private static let keywords = ["func ", "init", "subscript", "var "]

    /// All spans in lines of code, nested ones too.
    static func all(in lines: [Substring]) -> [FunctionSpan] {
        // Made once: each use of a literal parses it again.
        let declaration = /^ *(@\w+(\([^)]*\))? +|\w+(\(\w+\))? +)*(func .|init[?(<]|deinit\b|subscript[(<]|var .*\{)/
        return lines.indices.filter { index in
            let line = lines[index]
            return keywords.contains { line.contains($0) } && line.contains(declaration)
        }.compactMap { first in
            end(ofDeclarationAt: first, lines).map { FunctionSpan(first: first, last: $0) }
        }
    }

    /// The line of the brace that closes the declaration's body; nil for one without a body.
    private static func end(ofDeclarationAt first: Int, _ lines: [Substring]) -> Int? {
        var braces = 0
        var brackets = 0
        for index in first..<lines.count {
            if index > first, braces == 0, brackets == 0, !continues(lines[index]) {
                return nil
            }
            for character in lines[index] {
                switch character {
                case "(", "[": brackets += 1
                case ")", "]": brackets -= 1
                case "{" where brackets == 0 || braces > 0: braces += 1
                case "}" where braces > 0:
                    braces -= 1
                    if braces == 0 {
                        return index
                    }
                default: break
                }
            }
        }
        return nil
    }

    /// Whether the line goes on with a declaration that has no brace yet.
    private static func continues(_ line: Substring) -> Bool {
        line.contains(/^ *(\{|->|where\b|throws\b|async\b|\))/)
    }
}
