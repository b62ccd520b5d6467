import CProtobufC

/// A position in a message's bytes, which never passes the message's end
/// (https://protobuf.dev/programming-guides/encoding/).
struct WireCursor {
    /// The maximum length of a tag or of a length.
    static let shortVarintBytesMaximum = 5
    static let varintBytesMaximum = 10

    private(set) var position: Int
    let end: Int

    var isAtEnd: Bool {
        position >= end
    }

    /// Reads a number that fits 64 bits.
    mutating func varint(in bytes: Span<UInt8>) throws(DecodingFailure) -> UInt64 {
        var value: UInt64 = 0
        for index in 0..<Self.varintBytesMaximum {
            guard !isAtEnd else {
                throw DecodingFailure(.truncated)
            }
            let byte = bytes[position]
            position += 1
            if index == Self.varintBytesMaximum - 1, byte > 1 {
                break
            }
            value |= UInt64(byte & 0x7F) << (7 * UInt64(index))
            if byte < 0x80 {
                return value
            }
        }
        throw DecodingFailure(.malformedVarint)
    }

    /// Reads a tag's or a length's number, which fits 32 bits.
    mutating func shortVarint(in bytes: Span<UInt8>) throws(DecodingFailure) -> UInt32 {
        let start = position
        let value = try varint(in: bytes)
        guard position - start <= Self.shortVarintBytesMaximum, let short = UInt32(exactly: value) else {
            throw DecodingFailure(.malformedVarint)
        }
        return short
    }

    /// Skips `count` bytes.
    mutating func skip(_ count: Int) throws(DecodingFailure) {
        guard count <= end - position else {
            throw DecodingFailure(.truncated)
        }
        position += count
    }

    /// Reads a length and skips as many bytes; returns a cursor to them.
    mutating func delimited(in bytes: Span<UInt8>) throws(DecodingFailure) -> WireCursor {
        let count = Int(try shortVarint(in: bytes))
        let start = position
        try skip(count)
        return WireCursor(position: start, end: position)
    }
}

/// The wire type of a field's value, without groups, which protobuf-c does not read.
enum WireType: UInt32 {
    case varint = 0
    case fixed64 = 1
    case delimited = 2
    case fixed32 = 5

    /// The wire type of a single value of a field's type.
    init(of type: ProtobufCType) {
        switch type {
        case PROTOBUF_C_TYPE_FIXED64, PROTOBUF_C_TYPE_SFIXED64, PROTOBUF_C_TYPE_DOUBLE:
            self = .fixed64
        case PROTOBUF_C_TYPE_FIXED32, PROTOBUF_C_TYPE_SFIXED32, PROTOBUF_C_TYPE_FLOAT:
            self = .fixed32
        case PROTOBUF_C_TYPE_STRING, PROTOBUF_C_TYPE_BYTES, PROTOBUF_C_TYPE_MESSAGE:
            self = .delimited
        default:
            self = .varint
        }
    }
}
