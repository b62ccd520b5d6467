/// Parses JSON (RFC 8259) within `CatalogueLimits` and reports the line of an error.
///
/// Foundation's decoders are not suitable: they convert numbers to binary floating point, silently drop duplicate keys,
/// and report no line numbers.
package struct JSONParser {
    private let bytes: [UInt8]
    private var index = 0
    private var valueCount = 0

    /// Parses bytes that contain exactly one JSON value.
    package static func parse(_ bytes: [UInt8]) throws(JSONSyntaxError) -> JSONValue {
        var parser = JSONParser(bytes)
        let value = try parser.value(depth: 0)
        parser.skipWhitespace()
        guard parser.peek == nil else { throw parser.failure("there is more text after the end of the JSON value") }
        return value
    }

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
        // A byte order mark is not allowed in JSON, but some editors write one.
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
    }

    var peek: UInt8? {
        index < bytes.count ? bytes[index] : nil
    }

    mutating func next() -> UInt8? {
        guard let byte = peek else { return nil }
        index += 1
        return byte
    }

    /// Consumes the next byte if it is the given character.
    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard peek == UInt8(ascii: character) else { return false }
        index += 1
        return true
    }

    /// The error for a missing token. A comment, which JSON does not allow, gets a specific message.
    private func missing(_ what: String) -> JSONSyntaxError {
        let isAtComment = peek == UInt8(ascii: "/")
        return failure(isAtComment ? "JSON has no comments: remove this one" : "\(what) is expected")
    }

    func failure(_ reason: String) -> JSONSyntaxError {
        JSONSyntaxError(line: bytes.prefix(index).count { $0 == UInt8(ascii: "\n") } + 1, reason: reason)
    }

    private mutating func skipWhitespace() {
        while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { index += 1 }
    }

    private mutating func value(depth: Int) throws(JSONSyntaxError) -> JSONValue {
        skipWhitespace()
        valueCount += 1
        guard valueCount <= CatalogueLimits.values else {
            throw failure("there are more than \(CatalogueLimits.values) values")
        }
        guard depth <= CatalogueLimits.nestingDepth else {
            throw failure("arrays and objects nest deeper than \(CatalogueLimits.nestingDepth) levels")
        }
        guard let byte = peek else { throw failure("the text ends where a value is expected") }
        switch byte {
        case UInt8(ascii: "{"): return .object(try object(depth: depth + 1))
        case UInt8(ascii: "["): return .array(try array(depth: depth + 1))
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try literal("true", .bool(true))
        case UInt8(ascii: "f"): return try literal("false", .bool(false))
        case UInt8(ascii: "n"): return try literal("null", .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try number())
        default: throw missing("a value")
        }
    }

    private mutating func object(depth: Int) throws(JSONSyntaxError) -> [String: JSONValue] {
        index += 1
        var members: [String: JSONValue] = [:]
        skipWhitespace()
        if take("}") { return members }
        repeat {
            skipWhitespace()
            guard peek == UInt8(ascii: "\"") else { throw missing("a key in quotation marks") }
            let key = try string()
            skipWhitespace()
            guard take(":") else { throw failure("a colon is expected after the key \(key.quoted)") }
            guard members.updateValue(try value(depth: depth), forKey: key) == nil else {
                throw failure("the key \(key.quoted) is duplicated in one object")
            }
            skipWhitespace()
        } while take(",")
        guard take("}") else { throw missing("a comma or a closing brace") }
        return members
    }

    private mutating func array(depth: Int) throws(JSONSyntaxError) -> [JSONValue] {
        index += 1
        var values: [JSONValue] = []
        skipWhitespace()
        if take("]") { return values }
        repeat {
            values.append(try value(depth: depth))
            skipWhitespace()
        } while take(",")
        guard take("]") else { throw missing("a comma or a closing bracket") }
        return values
    }

    private mutating func literal(_ text: String, _ value: JSONValue) throws(JSONSyntaxError) -> JSONValue {
        guard bytes[index...].starts(with: text.utf8) else { throw failure("a value is expected") }
        index += text.utf8.count
        return value
    }
}

extension JSONParser {
    /// Reads a string, starting at its opening quotation mark.
    mutating func string() throws(JSONSyntaxError) -> String {
        _ = next()
        var text: [UInt8] = []
        while let byte = next() {
            switch byte {
            case UInt8(ascii: "\""):
                guard let string = String(validating: text, as: UTF8.self) else {
                    throw failure("a string is not UTF-8")
                }
                return string
            case UInt8(ascii: "\\"):
                text.append(contentsOf: Array(Character(try escape()).utf8))
            case ..<0x20:
                throw failure("a line break or another control character in a string must be escaped")
            default:
                text.append(byte)
            }
        }
        throw failure("a string has no closing quotation mark")
    }

    /// Reads a number as text, by RFC 8259's grammar.
    mutating func number() throws(JSONSyntaxError) -> String {
        var text = ""
        if take("-") { text.append("-") }
        if take("0") {
            text.append("0")
        } else {
            text += try digits()
        }
        if take(".") { text += "." + (try digits()) }
        if take("e") || take("E") {
            text.append("e")
            if take("-") { text.append("-") } else { _ = take("+") }
            text += try digits()
        }
        return text
    }

    private mutating func digits() throws(JSONSyntaxError) -> String {
        var text = ""
        while let byte = peek, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
            text.unicodeScalars.append(Unicode.Scalar(byte))
            _ = next()
        }
        guard !text.isEmpty else { throw failure("a digit is expected") }
        return text
    }

    private mutating func escape() throws(JSONSyntaxError) -> Unicode.Scalar {
        switch next() {
        case UInt8(ascii: "\""): "\""
        case UInt8(ascii: "\\"): "\\"
        case UInt8(ascii: "/"): "/"
        case UInt8(ascii: "b"): "\u{8}"
        case UInt8(ascii: "f"): "\u{C}"
        case UInt8(ascii: "n"): "\n"
        case UInt8(ascii: "r"): "\r"
        case UInt8(ascii: "t"): "\t"
        case UInt8(ascii: "u"): try unicodeEscape()
        default: throw failure("a string contains an unknown escape")
        }
    }

    private mutating func unicodeEscape() throws(JSONSyntaxError) -> Unicode.Scalar {
        var code = try hexadecimal()
        if (0xD800..<0xDC00).contains(code), take("\\"), take("u") {
            let low = try hexadecimal()
            guard (0xDC00..<0xE000).contains(low) else { throw failure("a string contains half a surrogate pair") }
            code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
        }
        // C code such as protobuf-c would treat a NUL as the end of the string.
        guard code != 0 else { throw failure("a string contains a NUL character") }
        guard let scalar = Unicode.Scalar(code) else { throw failure("a string contains half a surrogate pair") }
        return scalar
    }

    private mutating func hexadecimal() throws(JSONSyntaxError) -> UInt32 {
        var code: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = next(), let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw failure("four hexadecimal digits are expected after \\u")
            }
            code = code << 4 | UInt32(digit)
        }
        return code
    }
}
