/// Reads Swift just enough to distinguish code from comments and strings.
struct SwiftCode {
    private enum Mode {
        /// Code; in an interpolation, up to the bracket that closes it.
        case code(openBrackets: Int)
        case text(hashes: Int, isMultiline: Bool)
        case lineComment
        case blockComment(depth: Int)
        case pattern
    }

    /// Bytes that can begin or end a mode.
    private static let isMark = (0...UInt8.max).map { Set("\n\"#()*/\\".utf8).contains($0) }

    private let bytes: [UInt8]
    private var position = 0
    private var modes = [Mode.code(openBrackets: 0)]
    private var output: [UInt8] = []

    private init(_ text: String) {
        bytes = Array(text.utf8)
        output.reserveCapacity(bytes.count)
    }

    /// The same lines with comments and string contents blanked. Interpolations are code.
    static func blankingTexts(of text: String) -> String {
        var reader = SwiftCode(text)
        while reader.position < reader.bytes.count {
            reader.step()
        }
        return String(decoding: reader.output, as: UTF8.self)
    }

    private mutating func step() {
        // Most bytes have no meaning in any mode.
        let plain = bytes[position...].prefix { !Self.isMark[Int($0)] }.count
        switch modes.last {
        case nil, .code: keep(plain)
        default: blank(plain)
        }
        guard position < bytes.count else {
            return
        }
        switch modes.last ?? .code(openBrackets: 0) {
        case .code(let open): stepCode(openBrackets: open)
        case .text(let hashes, let isMultiline): stepText(hashes, isMultiline)
        case .lineComment:
            if isNext("\n") {
                modes.removeLast()
            }
            blank()
        case .blockComment(let depth): stepComment(depth)
        case .pattern:
            if isNext("\\") {
                blank()
            } else if isNext("/") || isNext("\n") {
                modes.removeLast()
            }
            blank()
        }
    }

    private mutating func stepCode(openBrackets: Int) {
        let hashes = isNext("#") ? bytes[position...].prefix { $0 == UInt8(ascii: "#") }.count : 0
        if isNext("\"", after: hashes) {
            let isMultiline = isNext("\"\"\"", after: hashes)
            keep(hashes + (isMultiline ? 3 : 1))
            modes.append(.text(hashes: hashes, isMultiline: isMultiline))
        } else if isNext("//") {
            modes.append(.lineComment)
        } else if isNext("/*") {
            blank(2)
            modes.append(.blockComment(depth: 1))
        } else if isNext("/"), beginsPattern {
            blank()
            modes.append(.pattern)
        } else {
            countBrackets(openBrackets)
            keep(1)
        }
    }

    private mutating func countBrackets(_ open: Int) {
        guard modes.count > 1 else {
            return
        }
        if isNext("(") {
            modes[modes.count - 1] = .code(openBrackets: open + 1)
        } else if isNext(")"), open == 1 {
            modes.removeLast()
        } else if isNext(")") {
            modes[modes.count - 1] = .code(openBrackets: open - 1)
        }
    }

    private mutating func stepText(_ hashes: Int, _ isMultiline: Bool) {
        let quotes = isMultiline ? 3 : 1
        if isNext("\\"), areHashes(hashes, after: 1) {
            // An interpolation or an escaped character follows; a backslash may end a line.
            let isInterpolation = isNext("(", after: 1 + hashes)
            blank(1 + hashes + (isInterpolation || isNext("\n", after: 1 + hashes) ? 0 : 1))
            if isInterpolation {
                modes.append(.code(openBrackets: 0))
            }
        } else if isNext(isMultiline ? "\"\"\"" : "\""), areHashes(hashes, after: quotes) {
            keep(quotes + hashes)
            modes.removeLast()
        } else {
            blank()
        }
    }

    private mutating func stepComment(_ depth: Int) {
        guard isNext("/*") || isNext("*/") else {
            return blank()
        }
        let inner = isNext("/*") ? depth + 1 : depth - 1
        modes.removeLast()
        if inner > 0 {
            modes.append(.blockComment(depth: inner))
        }
        blank(2)
    }

    /// Whether a slash begins a pattern: after a bracket, a comma, a colon or an equals sign, and with its end on the line.
    private var beginsPattern: Bool {
        let before = output.last { $0 != UInt8(ascii: " ") }
        let rest = bytes[(position + 1)...].prefix { $0 != UInt8(ascii: "\n") }
        return before.map { "(,:=[{".utf8.contains($0) } == true && rest.first != UInt8(ascii: " ")
            && rest.contains(UInt8(ascii: "/"))
    }

    private func isNext(_ text: String, after offset: Int = 0) -> Bool {
        text.utf8.enumerated().allSatisfy { index, byte in
            position + offset + index < bytes.count && bytes[position + offset + index] == byte
        }
    }

    private func areHashes(_ count: Int, after offset: Int) -> Bool {
        (0..<count).allSatisfy { isNext("#", after: offset + $0) }
    }

    private mutating func keep(_ count: Int) {
        output += bytes[position...].prefix(count)
        position = min(position + count, bytes.count)
    }

    private mutating func blank(_ count: Int = 1) {
        let newline = UInt8(ascii: "\n")
        output += bytes[position...].prefix(count).map { $0 == newline ? newline : UInt8(ascii: " ") }
        position = min(position + count, bytes.count)
    }
}

/// The lines of a function, an initializer, a subscript or a computed property, from its first keyword to its brace.
struct FunctionSpan: Equatable {
    var first: Int
    var last: Int

    var lineCount: Int {
        last - first + 1
    }

    private static let keywords = ["func ", "init", "subscript", "var "]

    /// All spans in lines of code, including nested ones.
    static func all(in lines: [Substring]) -> [FunctionSpan] {
        // Created once: each use of a literal parses it again.
        let declaration = /^ *(@\w+(\([^)]*\))? +|\w+(\(\w+\))? +)*(func .|init[?(<]|deinit\b|subscript[(<]|var .*\{)/
        return lines.indices.filter { index in
            let line = lines[index]
            return keywords.contains { line.contains($0) } && line.contains(declaration)
        }.compactMap { first in
            end(ofDeclarationAt: first, lines).map { FunctionSpan(first: first, last: $0) }
        }
    }

    /// The line of the brace that closes the declaration's body; nil for a declaration without a body.
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

    /// Whether the line continues a declaration that has no brace yet.
    private static func continues(_ line: Substring) -> Bool {
        line.contains(/^ *(\{|->|where\b|throws\b|async\b|\))/)
    }
}
