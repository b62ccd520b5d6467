/// What a frame says beside its type.
public struct FrameFlags: OptionSet, Hashable, Sendable {
    /// The flags' byte on the wire.
    public let rawValue: UInt8

    /// Makes flags from their byte on the wire.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The sender sends no more data on this stream.
    public static let remoteClosed = FrameFlags(rawValue: 1)
    /// The sender of a request goes on sending data.
    public static let remoteOpen = FrameFlags(rawValue: 2)
    /// The frame carries no message, not even an empty one.
    public static let noData = FrameFlags(rawValue: 4)
}
