import FoundationEssentials

/// A JSON value. The stand-in has no fractional numbers; those of other answers are kept as text.
package enum JSON: Hashable, Sendable {
    case null
    case bool(Bool)
    case int(Int)
    case string(String)
    case array([JSON])
    case object(Fields)
}

/// The fields of an object. Names that start with an underscore are the stand-in's own and are never sent.
package typealias Fields = [String: JSON]

extension JSON {
    package var string: String? {
        if case .string(let value) = self { value } else { nil }
    }

    package var int: Int? {
        switch self {
        case .int(let value): value
        case .string(let value): Int(value)
        default: nil
        }
    }

    package var bool: Bool? {
        switch self {
        case .bool(let value): value
        case .string("true"): true
        case .string("false"): false
        default: nil
        }
    }

    package var array: [JSON] {
        if case .array(let values) = self { values } else { [] }
    }

    package var fields: Fields {
        if case .object(let fields) = self { fields } else { [:] }
    }

    package var isNull: Bool { self == .null }

    package subscript(name: String) -> JSON {
        get { fields[name] ?? .null }
        set {
            var fields = fields
            fields[name] = newValue
            self = .object(fields)
        }
    }

    package init(_ string: String?) {
        self = string.map(JSON.string) ?? .null
    }

    package init(_ int: Int?) {
        self = int.map(JSON.int) ?? .null
    }

    /// Parses a text; nil if it is not JSON.
    package init?(text: some Sequence<UInt8>) {
        guard let value = try? JSONDecoder().decode(JSON.self, from: Data(text)) else {
            return nil
        }
        self = value
    }

    /// The value as one line, with sorted names.
    package var text: String {
        var text = ""
        write(to: &text)
        return text
    }

    private func write(to text: inout String) {
        switch self {
        case .null: text += "null"
        case .bool(let value): text += value ? "true" : "false"
        case .int(let value): text += "\(value)"
        case .string(let value): Self.write(value, to: &text)
        case .array(let values):
            text += "["
            for (index, value) in values.enumerated() {
                text += index == 0 ? "" : ","
                value.write(to: &text)
            }
            text += "]"
        case .object(let fields):
            text += "{"
            for (index, field) in fields.sorted(by: { $0.key < $1.key }).enumerated() {
                text += index == 0 ? "" : ","
                Self.write(field.key, to: &text)
                text += ":"
                field.value.write(to: &text)
            }
            text += "}"
        }
    }

    private static func write(_ string: String, to text: inout String) {
        text += "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case _ where scalar.value < 0x20:
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }
}

extension JSON: Decodable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int.self) {
            self = .int(value)
        } else if let value = try? container.decode(Double.self) {
            self = .string("\(value)")
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let values = try? container.decode([JSON].self) {
            self = .array(values)
        } else {
            self = .object(try container.decode([String: JSON].self))
        }
    }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
    package init(stringLiteral value: String) { self = .string(value) }
    package init(integerLiteral value: Int) { self = .int(value) }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    package init(arrayLiteral elements: JSON...) { self = .array(elements) }
    package init(dictionaryLiteral elements: (String, JSON)...) {
        self = .object(Fields(elements) { _, last in last })
    }
    package init(nilLiteral: ()) { self = .null }
}

extension Fields {
    /// Returns the text of a field, or an empty text.
    func text(_ name: String) -> String {
        self[name]?.string ?? ""
    }

    func number(_ name: String) -> Int {
        self[name]?.int ?? 0
    }

    var id: String { text("id") }
    var status: String { text("status") }

    /// Whether the field has a value.
    func has(_ name: String) -> Bool {
        self[name]?.isNull == false
    }
}
