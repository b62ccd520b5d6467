/// Sends the messages of a streaming handler.
public struct ServerStreamWriter: Sendable {
    private let streamID: UInt32
    private let lengthMaximum: Int
    private let gate: WriteGate
    private let mailbox: LoopMailbox<ServerItem>

    init(streamID: UInt32, lengthMaximum: Int, gate: WriteGate, mailbox: LoopMailbox<ServerItem>) {
        self.streamID = streamID
        self.lengthMaximum = lengthMaximum
        self.gate = gate
        self.mailbox = mailbox
    }

    /// Sends one message, after waiting until the peer has read enough of what was sent before.
    ///
    /// Throws why the stream has ended, once it has; RESOURCE_EXHAUSTED, with the stream still open, for a message that
    /// is longer than a frame.
    public func write(_ message: [UInt8]) async throws(RPCError) {
        guard message.count <= lengthMaximum else {
            throw RPCError(code: .resourceExhausted, message: "the message is longer than a frame may be")
        }
        let size = FrameHeader.size + message.count
        try await gate.reserve(size, for: streamID)
        if !mailbox.post(.message(streamID, message)) {
            throw RPCError(code: .unavailable, message: "the connection is closed")
        }
    }
}
