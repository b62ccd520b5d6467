import FoundationEssentials
import TillModel

/// Writes or reads the fields of a value, so that one description of them serves both.
///
/// A description gives each field's value to the coder, and makes the value of what the coder returns. A ``FieldReader`` is
/// given nil and returns what was stored; a ``FieldWriter`` is given the value and returns what a reader will. Fields are
/// described in the order of their tags. A nil value is not stored, so that a field that is added later costs nothing in
/// older rows.
protocol FieldCoder {
    mutating func integerIfPresent(_ tag: Int, _ value: Int64?) throws -> Int64?
    mutating func textIfPresent(_ tag: Int, _ value: String?) throws -> String?
    mutating func bytesIfPresent(_ tag: Int, _ value: [UInt8]?) throws -> [UInt8]?
    mutating func uuidIfPresent(_ tag: Int, _ value: UUID?) throws -> UUID?
    /// A value with fields of its own.
    mutating func nestedIfPresent<Value>(
        _ tag: Int,
        _ value: Value?,
        _ describe: (inout Self, Value?) throws -> Value
    ) throws -> Value?
}

/// A value whose fields are described once.
protocol Storable {
    /// Describes the fields to the coder.
    ///
    /// - Parameter value: The value to write; nil to read one.
    init(_ coder: inout some FieldCoder, _ value: Self?) throws
}

/// A field that is missing, or holds what no writer stores.
struct UnreadableField: Error {}

extension FieldCoder {
    mutating func integer(_ tag: Int, _ value: Int64?) throws -> Int64 {
        try stored(integerIfPresent(tag, value))
    }

    mutating func text(_ tag: Int, _ value: String?) throws -> String {
        try stored(textIfPresent(tag, value))
    }

    mutating func uuid(_ tag: Int, _ value: UUID?) throws -> UUID {
        try stored(uuidIfPresent(tag, value))
    }

    mutating func int(_ tag: Int, _ value: Int?) throws -> Int {
        try stored(intIfPresent(tag, value))
    }

    mutating func intIfPresent(_ tag: Int, _ value: Int?) throws -> Int? {
        try integerIfPresent(tag, value.map(Int64.init)).map { try stored(Int(exactly: $0)) }
    }

    /// A flag, which is stored only if it is set.
    mutating func flag(_ tag: Int, _ value: Bool?) throws -> Bool {
        switch try integerIfPresent(tag, value == true ? 1 : nil) {
        case nil: false
        case 1: true
        default: throw UnreadableField()
        }
    }

    /// A short list of texts. An empty one is not stored.
    mutating func texts(_ tag: Int, _ value: [String]?) throws -> [String] {
        let stored = try nestedIfPresent(tag, value?.isEmpty == false ? value : nil) { coder, value in
            var texts: [String] = []
            while let text = try coder.textIfPresent(texts.count + 1, value?.dropFirst(texts.count).first) {
                texts.append(text)
            }
            return texts
        }
        return stored ?? []
    }

    mutating func date(_ tag: Int, _ value: Date?) throws -> Date {
        try stored(dateIfPresent(tag, value))
    }

    /// A point in time, in milliseconds since 1970.
    mutating func dateIfPresent(_ tag: Int, _ value: Date?) throws -> Date? {
        try integerIfPresent(tag, value?.millisecondsSince1970).map(Date.init(millisecondsSince1970:))
    }

    mutating func choice<Value: RawRepresentable<Int>>(_ tag: Int, _ value: Value?) throws -> Value {
        try stored(choiceIfPresent(tag, value))
    }

    mutating func choiceIfPresent<Value: RawRepresentable<Int>>(_ tag: Int, _ value: Value?) throws -> Value? {
        try intIfPresent(tag, value?.rawValue).map { try stored(Value(rawValue: $0)) }
    }

    mutating func valueIfPresent<Value: Storable>(_ tag: Int, _ value: Value?) throws -> Value? {
        try nestedIfPresent(tag, value) { try Value(&$0, $1) }
    }

    private func stored<Value>(_ value: Value?) throws -> Value {
        guard let value else {
            throw UnreadableField()
        }
        return value
    }
}

extension Equatable {
    /// The value to store; nil if it equals another that the reader knows.
    func unless(_ other: Self?) -> Self? {
        self == other ? nil : self
    }
}

extension String {
    /// The text to store; nil if the reader knows another of the same bytes.
    func unlessSameBytes(as other: String?) -> String? {
        hasSameBytes(as: other) ? nil : self
    }
}
