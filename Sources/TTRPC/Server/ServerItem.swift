import NIOCore

/// What tasks send to their connection's event loop.
enum ServerItem: Sendable {
    /// A unary handler has returned; the gate has counted the answer's `sizeEstimate`.
    case answer(UInt32, ResponseEnvelope)
    /// A streaming handler wrote a message; the gate has counted its frame.
    case message(UInt32, [UInt8])
    /// A streaming handler has returned, or thrown.
    case streamEnd(UInt32, RPCError?)
    /// The call of a stream wants to end all others of this name.
    case cancel(String, by: UInt32, CheckedContinuation<Bool, Never>)
    /// The call of a stream is to end early.
    case end(UInt32, RPCError)
    /// The server stops: answer what runs, for as long as given, and close.
    case shutDown(TimeAmount)
    /// Close at once.
    case close
}
