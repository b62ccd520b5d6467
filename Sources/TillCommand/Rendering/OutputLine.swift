import FoundationEssentials

/// What a verb prints: as text for people, and as one JSON object for programs.
protocol Output: Encodable {
    var lines: [String] { get }
}

extension Output {
    /// One JSON object in one line, its keys in alphabetical order.
    func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
}

/// One thing that a verb prints in one line.
protocol OutputLine: Output {
    /// In one line.
    var text: String { get }
}

extension OutputLine {
    var lines: [String] {
        [text]
    }
}
