/// An argument of a system call, as strace prints it.
package indirect enum TraceValue: Hashable, Sendable {
    /// One member of a structure.
    package struct Field: Hashable, Sendable {
        package var name: String
        package var value: TraceValue

        package init(name: String, value: TraceValue) {
            self.name = name
            self.value = value
        }
    }

    case bytes([UInt8])
    case number(Int)
    /// Flags, names of constants, and any other text that is neither a number nor a string.
    case symbol(String)
    case list([TraceValue])
    case fields([Field])
}

extension TraceValue {
    var bytes: [UInt8]? {
        if case .bytes(let bytes) = self { bytes } else { nil }
    }

    var number: Int? {
        if case .number(let number) = self { number } else { nil }
    }

    /// The text of a string, such as a path.
    var text: String? {
        bytes.flatMap { String(validating: $0, as: UTF8.self) }
    }

    /// The elements of a list; empty for other values.
    var elements: [TraceValue] {
        if case .list(let elements) = self { elements } else { [] }
    }

    /// Whether this is a set of flags that includes `flag`.
    func has(_ flag: String) -> Bool {
        guard case .symbol(let text) = self else {
            return false
        }
        return text.split(separator: "|").contains { $0 == flag }
    }

    /// The value of a structure's member.
    subscript(name: String) -> TraceValue? {
        guard case .fields(let fields) = self else {
            return nil
        }
        return fields.first { $0.name == name }?.value
    }
}
