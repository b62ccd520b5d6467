import NIOCore

/// What tasks send to their connection's event loop.
enum ServerItem: Sendable {
    /// A unary handler has returned; the gate has counted the answer's `sizeEstimate`.
    case answer(UInt32, ResponseEnvelope)
    /// A streaming handler wrote a message; the gate has counted its frame.
    case message(UInt32, [UInt8])
    /// A streaming handler has returned, or thrown.
    case streamEnd(UInt32, RPCError?)
    /// A handler wants to end the call of this name.
    case cancel(String, CheckedContinuation<Bool, Never>)
    /// The server stops: answer what runs, for as long as given, and close.
    case shutDown(TimeAmount)
    /// Close at once.
    case close
}
