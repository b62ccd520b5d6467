/// Writes one JSON object (RFC 8259) whose members are strings, numbers and Booleans, in the order of the calls; nil
/// values are omitted.
///
/// It is used because payments wait for receipts and for the provider's record, and `JSONEncoder` takes several times as
/// long.
package struct FlatJSON {
    private static let hexDigits = Array("0123456789abcdef".utf8)
    private static let shortEscapes: [UInt8: Character] = [0x08: "b", 0x09: "t", 0x0A: "n", 0x0C: "f", 0x0D: "r"]
    private static let byteCountUsual = 1024

    /// The object without its closing brace.
    package private(set) var bytes: [UInt8] = []
    private let hasShortEscapes: Bool

    /// - Parameter hasShortEscapes: Whether control characters that have a short escape are written with it, for example
    ///   a tab as `\t`, as `JSONEncoder` does; otherwise all are written with their numbers, for example `\u0009`.
    package init(hasShortEscapes: Bool = false) {
        self.hasShortEscapes = hasShortEscapes
        bytes.reserveCapacity(Self.byteCountUsual)
        bytes.append(UInt8(ascii: "{"))
    }

    /// The complete object.
    package consuming func closed() -> [UInt8] {
        bytes.append(UInt8(ascii: "}"))
        return bytes
    }

    package mutating func add(_ name: String, _ value: String?) {
        if let value {
            begin(name)
            bytes.append(UInt8(ascii: "\""))
            write(value)
            bytes.append(UInt8(ascii: "\""))
        }
    }

    package mutating func add(_ name: String, _ value: Int64?) {
        if let value {
            begin(name)
            bytes += String(value).utf8
        }
    }

    package mutating func add(_ name: String, _ value: Int?) {
        add(name, value.map(Int64.init))
    }

    package mutating func add(_ name: String, _ value: Bool?) {
        if let value {
            begin(name)
            bytes += (value ? "true" : "false").utf8
        }
    }

    /// Begins a member. Names are constants that need no escape.
    private mutating func begin(_ name: String) {
        if bytes.count > 1 {
            bytes.append(UInt8(ascii: ","))
        }
        bytes.append(UInt8(ascii: "\""))
        bytes += name.utf8
        bytes += "\":".utf8
    }

    /// Copies the text, and writes it again in the rare case that it needs an escape.
    private mutating func write(_ text: String) {
        let start = bytes.count
        bytes += text.utf8
        if bytes[start...].contains(where: Self.needsEscape) {
            bytes.removeSubrange(start...)
            text.utf8.forEach { write($0) }
        }
    }

    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private mutating func write(_ byte: UInt8) {
        guard Self.needsEscape(byte) else {
            bytes.append(byte)
            return
        }
        bytes.append(UInt8(ascii: "\\"))
        if byte >= 0x20 {
            bytes.append(byte)
        } else if hasShortEscapes, let letter = Self.shortEscapes[byte] {
            bytes += letter.utf8
        } else {
            bytes += "u00".utf8
            bytes += [Self.hexDigits[Int(byte >> 4)], Self.hexDigits[Int(byte & 0xF)]]
        }
    }
}
