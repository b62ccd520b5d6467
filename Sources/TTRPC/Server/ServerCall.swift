public import NIOCore

/// The information about a call that its handler can use.
public struct ServerCall: Sendable {
    /// The process that made the call.
    public let peer: Peer
    /// The service that was called.
    public let service: String
    /// The method that was called.
    public let method: String
    /// The request's metadata.
    public let metadata: Metadata
    /// The call's deadline; the distant future for a stream without a timeout.
    public let deadline: NIODeadline
    /// The id of the call's stream, unique within the connection.
    package let streamID: UInt32

    private let mailbox: LoopMailbox<ServerItem>

    init(
        peer: Peer,
        streamID: UInt32,
        request: RequestEnvelope,
        deadline: NIODeadline,
        mailbox: LoopMailbox<ServerItem>
    ) {
        self.peer = peer
        self.streamID = streamID
        service = request.service
        method = request.method
        metadata = request.metadata
        self.deadline = deadline
        self.mailbox = mailbox
    }

    /// Cancels all other calls in flight on this connection that have the given call id. Returns whether there was one.
    ///
    /// The calls are found by the `call-id` in their metadata and end with CANCELLED; the empty id matches no call. A
    /// streaming handler's task is cancelled; a unary handler continues and its answer is dropped.
    public func cancelCalls(id: String) async -> Bool {
        await withCheckedContinuation { continuation in
            if !mailbox.post(.cancel(id, by: streamID, continuation)) { continuation.resume(returning: false) }
        }
    }

    /// Ends this call early with a status, unless it has already ended; any task may call this. A streaming handler's
    /// task is cancelled; a unary handler continues and its answer is dropped.
    public func end(_ error: RPCError) {
        // If the mailbox is closed, all calls have already ended.
        _ = mailbox.post(.end(streamID, error))
    }
}
