@testable import TillCatalogue

extension JSONValue {
    /// The value with itself and each nested value replaced in turn.
    func variants(_ replacement: JSONValue) -> [JSONValue] {
        switch self {
        case .array(let values):
            [replacement]
                + values.indices.flatMap { index in
                    values[index].variants(replacement).map { variant in
                        var values = values
                        values[index] = variant
                        return .array(values)
                    }
                }
        case .object(let members):
            [replacement]
                + members.flatMap { key, value in
                    value.variants(replacement).map { .object(members.merging([key: $0]) { _, new in new }) }
                }
        default:
            [replacement]
        }
    }

    /// The value as JSON.
    var text: String {
        switch self {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .number(let text): text
        case .string(let text): "\"" + text.unicodeScalars.map(Self.escaped).joined() + "\""
        case .array(let values): "[" + values.map(\.text).joined(separator: ",") + "]"
        case .object(let members):
            "{" + members.map { JSONValue.string($0).text + ":" + $1.text }.joined(separator: ",") + "}"
        }
    }

    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\"", "\\": "\\\(scalar)"
        case "\u{1B}": "\\u001b"
        default: String(scalar)
        }
    }
}
