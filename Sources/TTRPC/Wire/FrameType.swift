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
