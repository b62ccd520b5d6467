import NIOCore

/// A command that a task sends to its connection's event loop.
enum ServerItem: Sendable {
    /// A unary handler has returned; the answer's `sizeEstimate` is counted in the budget.
    case answer(UInt32, ResponseEnvelope)
    /// A streaming handler wrote a message; its frame is counted in the budget.
    case message(UInt32, [UInt8])
    /// A streaming handler has returned or thrown.
    case streamEnd(UInt32, RPCError?)
    /// The call of a stream asks to cancel all other calls with this call id.
    case cancel(String, by: UInt32, CheckedContinuation<Bool, Never>)
    /// End the call of a stream early.
    case end(UInt32, RPCError)
    /// The server is shutting down: finish the running calls within this grace period, then close.
    case shutDown(TimeAmount)
    /// Close immediately.
    case close
}
