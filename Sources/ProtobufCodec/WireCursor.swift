/// A place in a message's bytes, which never passes the message's end
/// (https://protobuf.dev/programming-guides/encoding/).
struct WireCursor {
    /// Bytes of a tag or of a length.
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

    /// Passes over `count` bytes.
    mutating func skip(_ count: Int) throws(DecodingFailure) {
        guard count <= end - position else {
            throw DecodingFailure(.truncated)
        }
        position += count
    }

    /// Reads a length and passes over what has it, to which it returns a cursor.
    mutating func delimited(in bytes: Span<UInt8>) throws(DecodingFailure) -> WireCursor {
        let count = Int(try shortVarint(in: bytes))
        let start = position
        try skip(count)
        return WireCursor(position: start, end: position)
    }
}
