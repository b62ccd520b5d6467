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
