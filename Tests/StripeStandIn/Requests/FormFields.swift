/// The parameters of a request: form-encoded names with brackets, such as `line_items[0][quantity]`, and their values.
package struct FormFields: Hashable, Sendable {
    package private(set) var values: [String: String] = [:]

    package init(_ values: [String: String] = [:]) {
        self.values = values
    }

    /// Parses a query or a body. An empty index, `types[]`, is the next free one.
    package init(encoded text: some StringProtocol) {
        for pair in text.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            var name = Self.decoded(parts[0])
            if name.hasSuffix("[]") {
                let base = name.dropLast(2)
                let next = (0...).first { values["\(base)[\($0)]"] == nil } ?? 0
                name = "\(base)[\(next)]"
            }
            values[name] = parts.count > 1 ? Self.decoded(parts[1]) : ""
        }
    }

    package mutating func merge(_ other: FormFields) {
        values.merge(other.values) { _, last in last }
    }

    /// Changes a parameter if it is present.
    mutating func replace(_ name: String, with value: String) {
        if values[name] != nil {
            values[name] = value
        }
    }

    /// Returns a parameter that is present and not empty.
    func string(_ name: String) -> String? {
        values[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    func int(_ name: String) throws(StripeFailure) -> Int? {
        guard let text = string(name) else {
            return nil
        }
        guard let number = Int(text) else {
            throw .invalid("Invalid integer: \(text)", param: name, code: "parameter_invalid_integer")
        }
        return number
    }

    func bool(_ name: String) throws(StripeFailure) -> Bool? {
        switch string(name) {
        case nil: nil
        case "true": true
        case "false": false
        case .some(let text): throw .invalid("Invalid boolean: \(text)", param: name)
        }
    }

    func require(_ name: String) throws(StripeFailure) -> String {
        guard let value = string(name) else {
            throw .invalid("Missing required param: \(name).", param: name, code: "parameter_missing")
        }
        return value
    }

    /// Returns the fields directly below a name, such as those of `metadata`.
    func map(_ name: String) -> [String: String] {
        var map: [String: String] = [:]
        for (key, value) in values where key.hasPrefix("\(name)[") && key.hasSuffix("]") {
            map[String(key.dropFirst(name.count + 1).dropLast())] = value
        }
        return map
    }

    /// Returns the elements of an array in order.
    func list(_ name: String) -> [String] {
        map(name).sorted { (Int($0.key) ?? 0) < (Int($1.key) ?? 0) }.map(\.value)
    }

    /// The parameters as one text, which is equal for equal parameters in any order.
    var canonical: String {
        JSON.object(values.mapValues(JSON.string)).text
    }

    /// Decodes percent escapes and plus signs.
    static func decoded(_ text: some StringProtocol) -> String {
        var bytes: [UInt8] = []
        var rest = Substring(text).utf8[...]
        while let byte = rest.popFirst() {
            let digits = String(Substring(rest.prefix(2)))
            if byte == UInt8(ascii: "%"), digits.utf8.count == 2, let value = UInt8(digits, radix: 16) {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Encodes a name or a value for a form.
    package static func encoded(_ text: String) -> String {
        var result = ""
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
                result.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                result += digits.count == 1 ? "%0\(digits)" : "%\(digits)"
            }
        }
        return result
    }
}

extension FormFields {
    /// Returns the first parameter that is not documented for an endpoint.
    /// - Parameter documented: Names with `[]` for any index. A name that ends in `*` includes all below it.
    func undocumented(_ documented: [String]) -> String? {
        values.keys.sorted().first { name in
            let shape = name.replacing(/\[\d+\]/) { _ in "[]" }
            return !documented.contains { pattern in
                guard pattern.hasSuffix("*") else {
                    return pattern == shape
                }
                let base = pattern.dropLast()
                return shape == base || shape.hasPrefix("\(base)[")
            }
        }
    }
}
