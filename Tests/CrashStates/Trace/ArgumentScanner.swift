/// Reads the arguments of a system call from strace's text.
struct ArgumentScanner {
    private static let quote = UInt8(ascii: "\"")
    private static let backslash = UInt8(ascii: "\\")
    private static let comma = UInt8(ascii: ",")
    private static let equals = UInt8(ascii: "=")
    private static let space = UInt8(ascii: " ")
    private static let depthMaximum = 16

    private let text: ArraySlice<UInt8>
    private(set) var index: Int

    /// - Parameter text: The text after the opening parenthesis.
    init(_ text: ArraySlice<UInt8>) {
        self.text = text
        index = text.startIndex
    }

    /// Reads all arguments and the closing parenthesis.
    mutating func arguments() throws(TraceError) -> [TraceValue] {
        try values(closedBy: UInt8(ascii: ")"), depth: 0)
    }

    private mutating func values(closedBy end: UInt8, depth: Int) throws(TraceError) -> [TraceValue] {
        var values: [TraceValue] = []
        while true {
            skip { $0 == Self.space || $0 == Self.comma }
            guard index < text.endIndex else {
                throw TraceError("A system call has no end.")
            }
            if text[index] == end {
                index += 1
                return values
            }
            values.append(try value(depth: depth))
        }
    }

    private mutating func value(depth: Int) throws(TraceError) -> TraceValue {
        guard depth < Self.depthMaximum else {
            throw TraceError("An argument is nested too deeply.")
        }
        switch text[index] {
        case Self.quote:
            return .bytes(try string())
        case UInt8(ascii: "["):
            index += 1
            return .list(try values(closedBy: UInt8(ascii: "]"), depth: depth + 1))
        case UInt8(ascii: "{"):
            index += 1
            return .fields(try fields(depth: depth + 1))
        default:
            return try word()
        }
    }

    private mutating func fields(depth: Int) throws(TraceError) -> [TraceValue.Field] {
        var fields: [TraceValue.Field] = []
        while true {
            skip { $0 == Self.space || $0 == Self.comma }
            guard index < text.endIndex else {
                throw TraceError("A structure has no end.")
            }
            if text[index] == UInt8(ascii: "}") {
                index += 1
                return fields
            }
            let start = index
            skip { $0 != Self.equals && $0 != Self.comma && $0 != UInt8(ascii: "}") && $0 != Self.quote }
            guard index < text.endIndex, text[index] == Self.equals else {
                index = start
                fields.append(TraceValue.Field(name: "", value: try value(depth: depth)))
                continue
            }
            let name = String(decoding: text[start..<index], as: UTF8.self)
            index += 1
            guard index < text.endIndex else {
                throw TraceError("A structure has no end.")
            }
            fields.append(TraceValue.Field(name: name, value: try value(depth: depth)))
        }
    }

    /// Reads a number or a symbol, up to a comma or a bracket outside it.
    private mutating func word() throws(TraceError) -> TraceValue {
        let start = index
        var depth = 0
        loop: while index < text.endIndex {
            switch text[index] {
            case Self.quote:
                _ = try string()
                continue loop
            case UInt8(ascii: "("):
                depth += 1
            case UInt8(ascii: ")") where depth > 0:
                depth -= 1
            case Self.comma where depth == 0, UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"):
                break loop
            default:
                break
            }
            index += 1
        }
        guard index > start else {
            throw TraceError("An argument is empty.")
        }
        let word = String(decoding: text[start..<index], as: UTF8.self)
        return Int(word).map { .number($0) } ?? .symbol(word)
    }

    private mutating func skip(while isSkipped: (UInt8) -> Bool) {
        while index < text.endIndex, isSkipped(text[index]) {
            index += 1
        }
    }
}

extension ArgumentScanner {
    /// A string in C's notation: printable bytes as they are, the others escaped.
    private mutating func string() throws(TraceError) -> [UInt8] {
        var bytes: [UInt8] = []
        index += 1
        while index < text.endIndex {
            let byte = text[index]
            index += 1
            switch byte {
            case Self.quote:
                // Three periods behind it mean that strace left something out.
                guard index >= text.endIndex || text[index] != UInt8(ascii: ".") else {
                    throw TraceError("The trace has only a part of a string.")
                }
                return bytes
            case Self.backslash:
                bytes.append(try escaped())
            default:
                bytes.append(byte)
            }
        }
        throw TraceError("A string has no end.")
    }

    private mutating func escaped() throws(TraceError) -> UInt8 {
        guard index < text.endIndex else {
            throw TraceError("A string has no end.")
        }
        let byte = text[index]
        if (UInt8(ascii: "0")...UInt8(ascii: "7")).contains(byte) {
            return try octal()
        }
        index += 1
        switch byte {
        case UInt8(ascii: "n"): return 10
        case UInt8(ascii: "t"): return 9
        case UInt8(ascii: "r"): return 13
        case UInt8(ascii: "v"): return 11
        case UInt8(ascii: "f"): return 12
        case Self.quote, Self.backslash: return byte
        default: throw TraceError("A string has an unknown escape.")
        }
    }

    /// One to three digits.
    private mutating func octal() throws(TraceError) -> UInt8 {
        var value = 0
        var count = 0
        while count < 3, index < text.endIndex, (UInt8(ascii: "0")...UInt8(ascii: "7")).contains(text[index]) {
            value = value * 8 + Int(text[index] - UInt8(ascii: "0"))
            index += 1
            count += 1
        }
        guard let byte = UInt8(exactly: value) else {
            throw TraceError("A string has an escape that is not a byte.")
        }
        return byte
    }
}
