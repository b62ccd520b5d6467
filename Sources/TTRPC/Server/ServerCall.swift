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

    private let mailbox: LoopMailbox<ServerItem>

    init(
        peer: Peer,
        request: RequestEnvelope,
        deadline: NIODeadline,
        mailbox: LoopMailbox<ServerItem>
    ) {
        self.peer = peer
        service = request.service
        method = request.method
        metadata = request.metadata
        self.deadline = deadline
        self.mailbox = mailbox
    }

    /// Ends, with CANCELLED, another call in flight on this connection; says whether there was one.
    ///
    /// The call is found by the `call-id` in its metadata. A streaming handler's task is cancelled; a unary handler
    /// runs on, and its answer is dropped.
    public func cancelCall(id: String) async -> Bool {
        await withCheckedContinuation { continuation in
            if !mailbox.post(.cancel(id, continuation)) { continuation.resume(returning: false) }
        }
    }
}
