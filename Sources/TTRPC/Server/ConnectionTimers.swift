import NIOCore

/// The times at which a server's connection must do something of itself; a pure value.
struct ConnectionTimers: Equatable {
    /// When the first complete frame must be there; `nil` once it is.
    var firstFrame: NIODeadline?
    /// When the frame that has begun must be complete.
    var frameCompletion: NIODeadline?
    /// When a peer that does not read loses its streams, and next its connection.
    var outboundStall: NIODeadline?
    /// When a connection that closes stops waiting for its peer to read, or for its handlers.
    var closing: NIODeadline?

    /// The earliest of them.
    var earliest: NIODeadline? {
        [firstFrame, frameCompletion, outboundStall, closing].lazy.compactMap(\.self).min()
    }
}
