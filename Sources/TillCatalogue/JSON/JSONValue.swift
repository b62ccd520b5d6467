/// A JSON value. Numbers keep their text, so that prices are not converted to binary floating point.
package enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case number(String)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    package var bool: Bool? {
        guard case .bool(let value) = self else { return nil }
        return value
    }

    package var string: String? {
        guard case .string(let value) = self else { return nil }
        return value
    }

    package var array: [JSONValue]? {
        guard case .array(let values) = self else { return nil }
        return values
    }

    package var object: [String: JSONValue]? {
        guard case .object(let members) = self else { return nil }
        return members
    }

    /// The number if it is an integer that fits; nil for `1.0`, `1e3` and all other values.
    package var integer: Int? {
        guard case .number(let text) = self else { return nil }
        return Int(text)
    }

    /// The number if it is finite.
    package var double: Double? {
        guard case .number(let text) = self, let value = Double(text), value.isFinite else { return nil }
        return value
    }

    /// The text of a string or a number, exactly as in the file.
    package var exactText: String? {
        switch self {
        case .string(let text), .number(let text): text
        default: nil
        }
    }
}

/// The error of a text that is not valid JSON or exceeds the limits.
package struct JSONSyntaxError: Error, Hashable {
    /// The line number, from 1.
    package var line: Int
    /// One clause.
    package var reason: String
}
