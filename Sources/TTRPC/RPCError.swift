/// Why a call failed: a code to branch on and a sentence to read.
public struct RPCError: Error, Hashable, Sendable {
    /// What kind of failure it is.
    public var code: RPCStatusCode
    /// One sentence for people; nothing parses it, and it goes to the peer.
    public var message: String

    /// Makes an error.
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
