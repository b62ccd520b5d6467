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
