import NIOCore
import TTRPC

/// Encodes an attacker's bytes: protobuf by hand, so that it can be invalid.
enum Wire {
    /// A number in protobuf's encoding.
    static func varint(_ number: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = UInt64(truncatingIfNeeded: number)
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        return bytes + [UInt8(truncatingIfNeeded: rest)]
    }

    /// A field with bytes, a text or a message.
    static func field(_ number: Int, _ bytes: [UInt8]) -> [UInt8] {
        varint(number << 3 | 2) + varint(bytes.count) + bytes
    }

    /// A frame with arbitrary data.
    static func frame(_ type: FrameType, stream: UInt32, flags: FrameFlags = [], _ data: [UInt8]) -> ByteBuffer {
        var buffer = header(length: data.count, stream: stream, type, flags)
        buffer.writeBytes(data)
        return buffer
    }

    /// A frame's header, whose data need not follow.
    static func header(length: Int, stream: UInt32, _ type: FrameType, _ flags: FrameFlags = []) -> ByteBuffer {
        var buffer = ByteBuffer()
        buffer.writeMultipleIntegers(UInt32(clamping: length), stream, type.rawValue, flags.rawValue)
        return buffer
    }

    /// A request's envelope.
    static func envelope(_ service: String, _ method: String, _ payload: [UInt8]) -> [UInt8] {
        field(1, Array(service.utf8)) + field(2, Array(method.utf8)) + field(3, payload)
    }

    /// Repeats the unit as often as it fits.
    static func filled(_ bytes: Int, with unit: [UInt8]) -> [UInt8] {
        Array(repeatElement(unit, count: bytes / unit.count).joined())
    }
}
