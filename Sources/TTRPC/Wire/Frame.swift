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
