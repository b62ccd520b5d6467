import NIOCore

extension ByteBuffer {
    /// Reads a frame header; returns `nil` if fewer than ten bytes are available.
    mutating func readFrameHeader() -> FrameHeader? {
        guard
            readableBytes >= FrameHeader.size,
            let (length, streamID, type, flags) = readMultipleIntegers(as: (UInt32, UInt32, UInt8, UInt8).self)
        else { return nil }
        return FrameHeader(
            length: length,
            streamID: streamID,
            type: FrameType(rawValue: type),
            flags: FrameFlags(rawValue: flags)
        )
    }

    /// Writes a frame header.
    mutating func writeFrameHeader(_ header: FrameHeader) {
        writeMultipleIntegers(header.length, header.streamID, header.type.rawValue, header.flags.rawValue)
    }

    /// Writes a frame whose data `body` appends. If the data is too long, removes the frame and returns false.
    mutating func writeFrame(
        _ type: FrameType,
        streamID: UInt32,
        flags: FrameFlags = [],
        lengthMaximum: Int,
        body: (inout ByteBuffer) -> Void
    ) -> Bool {
        let start = writerIndex
        writeFrameHeader(FrameHeader(length: 0, streamID: streamID, type: type, flags: flags))
        body(&self)
        let length = writerIndex - start - FrameHeader.size
        guard length <= lengthMaximum, let length = UInt32(exactly: length) else {
            moveWriterIndex(to: start)
            return false
        }
        setInteger(length, at: start)
        return true
    }
}
