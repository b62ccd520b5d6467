public import NIOCore

/// What a handler may know about the call that it answers.
public struct ServerCall: Sendable {
    /// Who calls.
    public let peer: Peer
    /// The service that was called.
    public let service: String
    /// The method that was called.
    public let method: String
    /// What came with the request.
    public let metadata: Metadata
    /// When the caller stops waiting; the distant future for a stream without a timeout.
    public let deadline: NIODeadline
    /// The stream that it came on, which no other call of the connection has.
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

    /// Ends, with CANCELLED, all other calls in flight on this connection that have a name; says whether there was one.
    ///
    /// The calls are found by the `call-id` in their metadata; the empty name finds none. A streaming handler's task is
    /// cancelled; a unary handler runs on, and its answer is dropped.
    public func cancelCalls(id: String) async -> Bool {
        await withCheckedContinuation { continuation in
            if !mailbox.post(.cancel(id, by: streamID, continuation)) { continuation.resume(returning: false) }
        }
    }

    /// Ends this call early with a status, if it has none yet; any task may do so. A streaming handler's task is cancelled;
    /// a unary handler runs on, and its answer is dropped.
    public func end(_ error: RPCError) {
        // A closed mailbox has ended all calls.
        _ = mailbox.post(.end(streamID, error))
    }
}
