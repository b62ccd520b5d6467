import NIOCore

/// The times at which a server connection must act on its own: a pure value.
struct ConnectionTimers: Equatable {
    /// When the first complete frame must have arrived; `nil` once it has.
    var firstFrame: NIODeadline?
    /// When the current frame must be complete.
    var frameCompletion: NIODeadline?
    /// When a peer that does not read loses its streams, and later its connection.
    var outboundStall: NIODeadline?
    /// When a closing connection stops waiting for its peer to read or for its handlers.
    var closing: NIODeadline?

    /// The earliest of them.
    var earliest: NIODeadline? {
        [firstFrame, frameCompletion, outboundStall, closing].lazy.compactMap(\.self).min()
    }
}
