/// Reads the parts of a protobuf message, without ever passing its end
/// (https://protobuf.dev/programming-guides/encoding/).
enum WireReader {
    /// Bytes of a tag or of a length.
    static let shortVarintBytesMaximum = 5
    static let varintBytesMaximum = 10

    /// Reads a number that fits 64 bits.
    static func varint(_ bytes: Span<UInt8>, _ position: inout Int, _ end: Int) throws(DecodingFailure) -> UInt64 {
        var value: UInt64 = 0
        for index in 0..<varintBytesMaximum {
            guard position < end else {
                throw DecodingFailure(.truncated)
            }
            let byte = bytes[position]
            position += 1
            if index == varintBytesMaximum - 1, byte > 1 {
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
    static func shortVarint(_ bytes: Span<UInt8>, _ position: inout Int, _ end: Int) throws(DecodingFailure) -> UInt32 {
        let start = position
        let value = try varint(bytes, &position, end)
        guard position - start <= shortVarintBytesMaximum, let short = UInt32(exactly: value) else {
            throw DecodingFailure(.malformedVarint)
        }
        return short
    }

    /// Passes over `count` bytes and returns where they end.
    static func skip(_ count: Int, _ position: inout Int, _ end: Int) throws(DecodingFailure) -> Int {
        guard count <= end - position else {
            throw DecodingFailure(.truncated)
        }
        position += count
        return position
    }

    /// Reads a length, and returns where what has it ends.
    static func delimited(_ bytes: Span<UInt8>, _ position: inout Int, _ end: Int) throws(DecodingFailure) -> Int {
        let count = Int(try shortVarint(bytes, &position, end))
        guard count <= end - position else {
            throw DecodingFailure(.truncated)
        }
        return position + count
    }
}
