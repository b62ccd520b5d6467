/// The reason a call failed: a code to branch on and a message to read.
public struct RPCError: Error, Hashable, Sendable {
    /// The kind of failure.
    public var code: RPCStatusCode
    /// One sentence for people. It is sent to the peer; do not parse it.
    public var message: String

    /// Creates an error.
    public init(code: RPCStatusCode, message: String) {
        self.code = code
        self.message = message
    }
}

extension RPCError: CustomStringConvertible {
    /// The code's name and the message.
    public var description: String {
        "\(code): \(message)"
    }
}
