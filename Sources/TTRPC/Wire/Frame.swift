public import NIOCore

/// A frame: a header and its data bytes.
public struct Frame: Hashable, Sendable {
    /// The header.
    public var header: FrameHeader
    /// The data.
    public var data: ByteBuffer

    /// Creates a frame.
    public init(header: FrameHeader, data: ByteBuffer) {
        self.header = header
        self.data = data
    }

    /// The maximum number of data bytes that the protocol allows.
    public static let lengthMaximum = 4 << 20
    /// The default maximum number of data bytes that either side accepts.
    public static let lengthDefault = 256 << 10
}

/// The ten bytes that open every frame.
///
/// The layout is defined in PROTOCOL.md of containerd/ttrpc: data length and stream id as big-endian 32-bit numbers,
/// then one byte for the type and one for the flags.
public struct FrameHeader: Hashable, Sendable {
    /// The number of data bytes that follow the header.
    public var length: UInt32
    /// The id of the frame's stream; odd if a client opened the stream.
    public var streamID: UInt32
    /// The frame's type.
    public var type: FrameType
    /// The frame's flags.
    public var flags: FrameFlags

    /// The size of a header in bytes.
    public static let size = 10

    /// Creates a header.
    public init(length: UInt32, streamID: UInt32, type: FrameType, flags: FrameFlags = []) {
        self.length = length
        self.streamID = streamID
        self.type = type
        self.flags = flags
    }
}

/// A frame's type. The set is open because a peer may send any byte.
public struct FrameType: RawRepresentable, Hashable, Sendable {
    /// The type's byte on the wire.
    public let rawValue: UInt8

    /// Creates a type from its byte on the wire.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Opens a stream; its data is a `Request`.
    public static let request = FrameType(rawValue: 1)
    /// Ends a stream; its data is a `Response`.
    public static let response = FrameType(rawValue: 2)
    /// Carries one message of an open stream.
    public static let data = FrameType(rawValue: 3)
}

/// A frame's flags.
public struct FrameFlags: OptionSet, Hashable, Sendable {
    /// The flags' byte on the wire.
    public let rawValue: UInt8

    /// Creates flags from their byte on the wire.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The sender will send no more data on this stream.
    public static let remoteClosed = FrameFlags(rawValue: 1)
    /// The sender of a request will send more data.
    public static let remoteOpen = FrameFlags(rawValue: 2)
    /// The frame carries no message, not even an empty one.
    public static let noData = FrameFlags(rawValue: 4)
}

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
