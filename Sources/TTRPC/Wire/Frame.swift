public import NIOCore

/// One frame: a header and as many data bytes as it announces.
public struct Frame: Hashable, Sendable {
    /// The header.
    public var header: FrameHeader
    /// The data.
    public var data: ByteBuffer

    /// Makes a frame.
    public init(header: FrameHeader, data: ByteBuffer) {
        self.header = header
        self.data = data
    }

    /// The most data bytes that the protocol allows.
    public static let lengthMaximum = 4 << 20
    /// The most data bytes that either side accepts unless configured otherwise.
    public static let lengthDefault = 256 << 10
}
