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
