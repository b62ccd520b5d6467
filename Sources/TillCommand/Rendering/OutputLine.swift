import FoundationEssentials

/// One thing that a verb prints, as text for people and as JSON for programs.
protocol OutputLine: Encodable {
    /// In one line.
    var text: String { get }
}

extension OutputLine {
    /// One JSON object in one line, its keys in alphabetical order.
    func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
}
