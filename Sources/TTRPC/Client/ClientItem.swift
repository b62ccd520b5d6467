/// What tasks send to their client's event loop.
enum ClientItem: Sendable {
    /// A call to make.
    case start(ClientCall)
    /// The caller of this token waits no more.
    case abandon(UInt64)
    /// A task that waits for the connection's end.
    case awaitClose(UInt64, CheckedContinuation<Void, Never>)
    /// Close the connection.
    case close
}
