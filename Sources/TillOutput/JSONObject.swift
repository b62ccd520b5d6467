package import FoundationEssentials

/// A JSON object, written as a literal of keys and values. A key without a value is left out.
package struct JSONObject: Hashable, Sendable, ExpressibleByDictionaryLiteral {
    fileprivate let members: [String: JSONValue]

    package init(dictionaryLiteral members: (String, (any JSONConvertible)?)...) {
        self.init(members)
    }

    package init(_ members: [(String, (any JSONConvertible)?)]) {
        self.members = members.reduce(into: [:]) { $0[$1.0] = $1.1?.jsonValue }
    }

    /// The object in one line, its keys in alphabetical order.
    package func text() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(JSONValue.object(self)), as: UTF8.self)
    }
}

/// A value in a ``JSONObject``.
package enum JSONValue: Hashable, Sendable {
    case string(String)
    case integer(Int64)
    case number(Double)
    case boolean(Bool)
    case array([JSONValue])
    case object(JSONObject)
}

extension JSONValue: Encodable {
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .string(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .boolean(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .object(let value): try container.encode(value.members)
        }
    }
}

/// A type whose values can be members of a ``JSONObject``.
package protocol JSONConvertible {
    var jsonValue: JSONValue { get }
}

extension JSONValue: JSONConvertible {
    package var jsonValue: JSONValue { self }
}

extension String: JSONConvertible {
    package var jsonValue: JSONValue { .string(self) }
}

extension Bool: JSONConvertible {
    package var jsonValue: JSONValue { .boolean(self) }
}

extension Double: JSONConvertible {
    package var jsonValue: JSONValue { .number(self) }
}

extension JSONConvertible where Self: FixedWidthInteger {
    package var jsonValue: JSONValue { .integer(Int64(clamping: self)) }
}

extension Int: JSONConvertible {}
extension Int64: JSONConvertible {}
extension UInt32: JSONConvertible {}
extension UInt64: JSONConvertible {}

/// A UUID is text in lower case.
extension UUID: JSONConvertible {
    package var jsonValue: JSONValue { .string(uuidString.lowercased()) }
}

/// A date is text as ``Date/timestamp`` writes it.
extension Date: JSONConvertible {
    package var jsonValue: JSONValue { .string(timestamp) }
}

extension JSONObject: JSONConvertible {
    package var jsonValue: JSONValue { .object(self) }
}

extension Array: JSONConvertible where Element: JSONConvertible {
    package var jsonValue: JSONValue { .array(map(\.jsonValue)) }
}

extension Date {
    /// The date in ISO 8601, in UTC, with milliseconds: `2026-03-01T09:30:00.250Z`.
    package var timestamp: String {
        // A tenth of a millisecond more, so that the format does not cut the binary fraction to the millisecond before.
        let date = Date(timeIntervalSince1970: (timeIntervalSince1970 * 1000).rounded() / 1000 + 0.0001)
        return date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }
}
