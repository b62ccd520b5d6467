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

/// Sends the answer of a deferred handler.
public struct ServerReply: Sendable {
    let streamID: UInt32
    let mailbox: LoopMailbox<ServerItem>
    let unanswered: UnansweredCalls

    /// Sends the answer that `make` returns, or the error that it throws. Call it exactly once, from any thread.
    ///
    /// - Parameter make: Runs on the connection's event loop, so that the sending thread does not encode; it must neither
    ///   block nor suspend. It does not run if the connection has closed.
    public func send(_ make: @escaping @Sendable () throws(RPCError) -> [UInt8]) {
        // A closed mailbox needs no answer.
        _ = mailbox.post(.reply(streamID, make))
        unanswered.remove()
    }
}

/// Sends the messages of a streaming handler.
public struct ServerStreamWriter: Sendable {
    /// The bytes that are reserved for a message until its size is known.
    static let claim = 64 << 10

    private let streamID: UInt32
    private let lengthMaximum: Int
    private let budget: OutboundBudget
    private let mailbox: LoopMailbox<ServerItem>

    init(streamID: UInt32, lengthMaximum: Int, budget: OutboundBudget, mailbox: LoopMailbox<ServerItem>) {
        self.streamID = streamID
        self.lengthMaximum = lengthMaximum
        self.budget = budget
        self.mailbox = mailbox
    }

    /// Sends one message, after waiting until the peer has read enough of the previous ones.
    ///
    /// Throws the stream's error once the stream has ended. Throws RESOURCE_EXHAUSTED for a message that is longer than
    /// a frame; the stream stays open.
    public func write(_ message: [UInt8]) async throws(RPCError) {
        try await budget.reserve(try size(of: message), for: streamID)
        try post(message)
    }

    /// Waits until the peer has read enough, then creates and sends one message, so that a waiting stream holds no
    /// message.
    ///
    /// - Returns: Whether a message was sent.
    /// - Throws: The errors of ``write(_:)``, and any error from creating the message.
    public func write(making message: () async throws -> [UInt8]?) async throws -> Bool {
        try await budget.claim(Self.claim, for: streamID)
        defer { budget.removeClaim(Self.claim) }
        guard let message = try await message() else {
            return false
        }
        budget.add(try size(of: message))
        try post(message)
        return true
    }

    private func size(of message: [UInt8]) throws(RPCError) -> Int {
        guard message.count <= lengthMaximum else {
            throw RPCError(code: .resourceExhausted, message: "the message is longer than the frame limit")
        }
        return FrameHeader.size + message.count
    }

    private func post(_ message: [UInt8]) throws(RPCError) {
        if !mailbox.post(.message(streamID, message)) {
            throw RPCError(code: .unavailable, message: "the connection is closed")
        }
    }
}
