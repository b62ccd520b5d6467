import FoundationEssentials
import TillModel

/// Writes fields in the binary form of Protocol Buffers: a key of tag and type before each value
/// (https://protobuf.dev/programming-guides/encoding). Integers are varints, everything else has its length before it.
struct FieldWriter: FieldCoder {
    private(set) var bytes: [UInt8]

    /// - Parameter bytes: What the fields are appended to.
    init(appendingTo bytes: [UInt8] = []) {
        self.bytes = bytes
    }

    mutating func reserve(_ count: Int) {
        bytes.reserveCapacity(count)
    }

    mutating func integerIfPresent(_ tag: Int, _ value: Int64?) -> Int64? {
        if let value {
            append(FieldKey(tag, .varint))
            append(UInt64(bitPattern: value))
        }
        return value
    }

    mutating func textIfPresent(_ tag: Int, _ value: String?) -> String? {
        guard var text = value else {
            return nil
        }
        append(FieldKey(tag, .counted))
        text.withUTF8 { utf8 in
            append(UInt64(utf8.count))
            unsafe bytes.append(contentsOf: utf8)
        }
        return value
    }

    mutating func bytesIfPresent(_ tag: Int, _ value: [UInt8]?) -> [UInt8]? {
        if let value {
            append(FieldKey(tag, .counted))
            append(UInt64(value.count))
            bytes += value
        }
        return value
    }

    mutating func uuidIfPresent(_ tag: Int, _ value: UUID?) -> UUID? {
        if let value {
            append(FieldKey(tag, .counted))
            append(16)
            bytes += value.bytes
        }
        return value
    }

    mutating func nestedIfPresent<Value>(
        _ tag: Int,
        _ value: Value?,
        _ describe: (inout FieldWriter, Value?) throws -> Value
    ) throws -> Value? {
        guard let value else {
            return nil
        }
        append(FieldKey(tag, .counted))
        // One byte for the length, which is enough for most.
        bytes.append(0)
        let start = bytes.count
        let described = try describe(&self, value)
        setLength(UInt64(bytes.count - start), before: start)
        return described
    }

    private mutating func setLength(_ length: UInt64, before start: Int) {
        if length < 0x80 {
            bytes[start - 1] = UInt8(length)
        } else {
            var varint = FieldWriter()
            varint.append(length)
            bytes.replaceSubrange((start - 1)..<start, with: varint.bytes)
        }
    }

    private mutating func append(_ key: FieldKey) {
        append(key.rawValue)
    }

    private mutating func append(_ varint: UInt64) {
        var rest = varint
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }
}

/// What stands before a field: its tag, and the type that says how long it is.
struct FieldKey: RawRepresentable {
    enum WireType: UInt64 {
        case varint = 0
        case counted = 2
    }

    let rawValue: UInt64

    init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    init(_ tag: Int, _ type: WireType) {
        rawValue = UInt64(tag) << 3 | type.rawValue
    }

    var tag: UInt64 {
        rawValue >> 3
    }

    /// Nil for types that no writer stores.
    var type: WireType? {
        WireType(rawValue: rawValue & 7)
    }
}
