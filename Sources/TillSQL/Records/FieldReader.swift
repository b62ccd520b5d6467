import FoundationEssentials
import TillModel

/// Reads fields that a ``FieldWriter`` wrote. Every length and every value is checked, because the disk may not hold what
/// was written. Fields that the description does not name are skipped.
struct FieldReader: FieldCoder {
    private let stored: [UInt8]
    private var position: Int
    private let end: Int

    init(_ stored: [UInt8]) {
        self.init(stored, stored.indices)
    }

    init(_ stored: [UInt8], _ range: Range<Int>) {
        self.stored = stored
        position = range.lowerBound
        end = range.upperBound
    }

    mutating func integerIfPresent(_ tag: Int, _ value: Int64?) throws -> Int64? {
        guard try find(tag, .varint) else {
            return nil
        }
        return Int64(bitPattern: try varint())
    }

    mutating func textIfPresent(_ tag: Int, _ value: String?) throws -> String? {
        guard let range = try counted(tag) else {
            return nil
        }
        guard let text = String(validating: stored[range], as: UTF8.self) else {
            throw UnreadableField()
        }
        return text
    }

    mutating func bytesIfPresent(_ tag: Int, _ value: [UInt8]?) throws -> [UInt8]? {
        try counted(tag).map { Array(stored[$0]) }
    }

    mutating func uuidIfPresent(_ tag: Int, _ value: UUID?) throws -> UUID? {
        guard let range = try counted(tag) else {
            return nil
        }
        guard let uuid = UUID(bytes: stored[range]) else {
            throw UnreadableField()
        }
        return uuid
    }

    mutating func nestedIfPresent<Value>(
        _ tag: Int,
        _ value: Value?,
        _ describe: (inout FieldReader, Value?) throws -> Value
    ) throws -> Value? {
        guard let range = try counted(tag) else {
            return nil
        }
        var reader = FieldReader(stored, range)
        return try describe(&reader, nil)
    }

    /// Where the value of a field with a length is; nil if the field is missing.
    mutating func counted(_ tag: Int) throws -> Range<Int>? {
        guard try find(tag, .counted) else {
            return nil
        }
        return try countedRange()
    }

    /// Goes to the value of the field with the tag, and skips fields with lower tags. Returns false if the field is missing.
    private mutating func find(_ tag: Int, _ type: FieldKey.WireType) throws -> Bool {
        while position < end {
            let start = position
            let key = FieldKey(rawValue: try varint())
            if key.tag > UInt64(tag) {
                position = start
                return false
            }
            if key.tag == UInt64(tag) {
                guard key.type == type else {
                    throw UnreadableField()
                }
                return true
            }
            switch key.type {
            case .varint: _ = try varint()
            case .counted: _ = try countedRange()
            case nil: throw UnreadableField()
            }
        }
        return false
    }

    private mutating func countedRange() throws -> Range<Int> {
        let length = try varint()
        guard length <= UInt64(end - position) else {
            throw UnreadableField()
        }
        defer { position += Int(length) }
        return position..<(position + Int(length))
    }

    private mutating func varint() throws -> UInt64 {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while position < end, shift < 64 {
            let byte = stored[position]
            position += 1
            value |= UInt64(byte & 0x7F) << shift
            guard byte >= 0x80 else {
                return value
            }
            shift += 7
        }
        throw UnreadableField()
    }
}
