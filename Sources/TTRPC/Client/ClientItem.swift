/// A command that a task sends to its client's event loop.
enum ClientItem: Sendable {
    /// Start a call.
    case start(ClientCall)
    /// The call with this token was cancelled.
    case abandon(UInt64)
    /// A task is waiting for the connection to close.
    case awaitClose(UInt64, CheckedContinuation<Void, Never>)
    /// Close the connection.
    case close
}
