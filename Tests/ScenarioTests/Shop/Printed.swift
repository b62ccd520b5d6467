import Foundation
import Testing

/// The output of a command: one JSON object per line.
struct Printed {
    var text: String
    /// The standard error.
    var errors = ""

    /// Decodes each line.
    func all<Line: Decodable>(_: Line.Type = Line.self) throws -> [Line] {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .custom { path in Key(path.last?.stringValue ?? "") }
        return try text.split(separator: "\n").map { try decoder.decode(Line.self, from: Data($0.utf8)) }
    }

    /// Decodes the only line.
    func one<Line: Decodable>(
        _: Line.Type = Line.self,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> Line {
        let lines = try all(Line.self)
        try #require(lines.count == 1, "the command printed \(text)", sourceLocation: sourceLocation)
        return lines[0]
    }

    /// Converts keys from snake case, such as `product_id`, to property names, such as `productID`.
    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(_ name: String) {
            let words = name.split(separator: "_")
            let rest = words.dropFirst().map { $0 == "id" ? "ID" : $0.capitalized }
            stringValue = (words.prefix(1) + rest.map { $0[...] }).joined()
        }

        init?(stringValue: String) {
            self.stringValue = stringValue
        }

        init?(intValue: Int) {
            nil
        }
    }
}
