/// Sends the messages of a streaming handler.
public struct ServerStreamWriter: Sendable {
    /// What a message that is being made counts for until its size is known.
    static let claim = 64 << 10

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
        try await gate.reserve(try size(of: message), for: streamID)
        try post(message)
    }

    /// Sends one message that is made only once the peer has read enough, so that a stream which waits holds nothing.
    ///
    /// - Returns: Whether there was one to send.
    /// - Throws: As ``write(_:)``, and what making it throws.
    public func write(making message: () async throws -> [UInt8]?) async throws -> Bool {
        try await gate.claim(Self.claim, for: streamID)
        defer { gate.removeClaim(Self.claim) }
        guard let message = try await message() else {
            return false
        }
        gate.add(try size(of: message))
        try post(message)
        return true
    }

    private func size(of message: [UInt8]) throws(RPCError) -> Int {
        guard message.count <= lengthMaximum else {
            throw RPCError(code: .resourceExhausted, message: "the message is longer than a frame may be")
        }
        return FrameHeader.size + message.count
    }

    private func post(_ message: [UInt8]) throws(RPCError) {
        if !mailbox.post(.message(streamID, message)) {
            throw RPCError(code: .unavailable, message: "the connection is closed")
        }
    }
}
