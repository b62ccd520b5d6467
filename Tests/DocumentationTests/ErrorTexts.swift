/// The texts of errors in Swift source: the string literals among the arguments of an error, in parts between
/// interpolations.
struct ErrorTexts {
    /// Makes of errors for people, as they are called.
    private static let makers: Set<Substring> = [
        "TillError", "CommandFailure", "ValidationError", "ConfigurationFault", "PaymentError", "systemCall",
    ]

    /// The parts with their lines.
    private(set) var parts: [(line: Int, text: String)] = []
    private let source: [Character]
    private var index = 0
    private var line = 1
    /// Whether each open parenthesis is in the arguments of an error.
    private var open: [Bool] = []

    init(source: String) {
        self.source = Array(source)
        while index < self.source.count {
            step()
        }
    }

    private mutating func step() {
        switch source[index] {
        case "/" where starts(with: "//"):
            while index < source.count, !source[index].isNewline { index += 1 }
        case "\"":
            literal()
        case "(":
            open.append((open.last ?? false) || Self.makers.contains(nameBefore(index)))
            index += 1
        case ")":
            _ = open.popLast()
            index += 1
        default:
            line += source[index].isNewline ? 1 : 0
            index += 1
        }
    }

    /// Reads a literal, and keeps its parts if it is in an error.
    private mutating func literal() {
        let (start, quote) = (line, starts(with: "\"\"\"") ? "\"\"\"" : "\"")
        var texts = [""]
        index += quote.count
        while index < source.count, !starts(with: quote) {
            if starts(with: "\\(") {
                interpolation()
                texts.append("")
                continue
            }
            if source[index] == "\\" {
                index += 1
                guard index < source.count else { break }
                // A backslash at the end of a line continues it.
                texts[texts.count - 1] +=
                    source[index].isNewline ? "" : source[index] == "n" ? "\n" : String(source[index])
            } else {
                texts[texts.count - 1].append(source[index])
            }
            line += source[index].isNewline ? 1 : 0
            index += 1
        }
        index += quote.count
        if open.last ?? false {
            parts += texts.map { (start, $0.split(whereSeparator: \.isWhitespace).joined(separator: " ")) }
        }
    }

    /// Skips an interpolation, the literals in which are values.
    private mutating func interpolation() {
        index += 2
        var depth = 1
        while index < source.count, depth > 0 {
            switch source[index] {
            case "(": depth += 1
            case ")": depth -= 1
            case "\"":
                let outer = open
                open = []
                literal()
                open = outer
                continue
            default: break
            }
            index += 1
        }
    }

    private func starts(with text: String) -> Bool {
        source[index...].starts(with: text)
    }

    private func nameBefore(_ end: Int) -> Substring {
        let start = source[..<end].lastIndex { !$0.isLetter && !$0.isNumber && $0 != "_" }.map { $0 + 1 } ?? 0
        return Substring(source[start..<end])
    }
}
