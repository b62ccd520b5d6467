package import TillModel

/// A value that travels as a protobuf message.
package protocol WireMessage: Hashable, Sendable {
    /// How the value becomes bytes and comes back.
    static var codec: WireCodec<Self> { get }
}

extension WireMessage {
    /// The value that the bytes stand for; a fault is an `invalidArgument` that names message and field.
    package init(wire bytes: [UInt8]) throws(TillError) {
        self = try Self.codec.decode(bytes)
    }

    /// The message's bytes.
    package func wireBytes() -> [UInt8] {
        Self.codec.encode(self)
    }

    /// What makes the message's type unfit to be decoded; a daemon that finds anything must not serve.
    package static var typeFaults: [String] {
        Self.codec.typeFaults()
    }
}
