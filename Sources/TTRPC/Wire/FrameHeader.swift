/// The ten bytes that open every frame.
///
/// The layout is PROTOCOL.md's of containerd/ttrpc: data length and stream id as big-endian 32-bit numbers, then a
/// byte for the type and a byte for the flags.
public struct FrameHeader: Hashable, Sendable {
    /// The number of data bytes that follow the header.
    public var length: UInt32
    /// The stream that the frame belongs to: odd when a client opened it.
    public var streamID: UInt32
    /// What the frame is.
    public var type: FrameType
    /// What else the frame says.
    public var flags: FrameFlags

    /// The number of bytes of a header.
    public static let size = 10

    /// Makes a header.
    public init(length: UInt32, streamID: UInt32, type: FrameType, flags: FrameFlags = []) {
        self.length = length
        self.streamID = streamID
        self.type = type
        self.flags = flags
    }
}
