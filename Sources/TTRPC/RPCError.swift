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

/// The status of a finished call, using gRPC's status codes.
///
/// The set is open: an unknown code from a newer peer is kept and printed, and never traps.
public struct RPCStatusCode: RawRepresentable, Hashable, Sendable {
    /// The code's number on the wire.
    public let rawValue: UInt32

    /// Creates a code from its number on the wire.
    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// The call succeeded.
    public static let ok = RPCStatusCode(rawValue: 0)
    /// The caller cancelled the call; the caller decides whether to retry.
    public static let cancelled = RPCStatusCode(rawValue: 1)
    /// An error without further information; do not retry blindly.
    public static let unknown = RPCStatusCode(rawValue: 2)
    /// The request is invalid; retrying it unchanged cannot succeed.
    public static let invalidArgument = RPCStatusCode(rawValue: 3)
    /// The deadline passed without an answer. The call may have taken effect; retry only if it is idempotent.
    public static let deadlineExceeded = RPCStatusCode(rawValue: 4)
    /// The object that the request names does not exist; do not retry.
    public static let notFound = RPCStatusCode(rawValue: 5)
    /// The object that the request would create already exists; do not retry.
    public static let alreadyExists = RPCStatusCode(rawValue: 6)
    /// The caller is not allowed to do this; do not retry.
    public static let permissionDenied = RPCStatusCode(rawValue: 7)
    /// A limit has been reached; retry later.
    public static let resourceExhausted = RPCStatusCode(rawValue: 8)
    /// The current state does not allow the call; retry only after it has changed.
    public static let failedPrecondition = RPCStatusCode(rawValue: 9)
    /// The call conflicted with a concurrent one; retry the whole sequence of calls.
    public static let aborted = RPCStatusCode(rawValue: 10)
    /// A value is outside the valid range; do not retry.
    public static let outOfRange = RPCStatusCode(rawValue: 11)
    /// The server does not know the service or method; do not retry.
    public static let unimplemented = RPCStatusCode(rawValue: 12)
    /// The peer has an internal error; do not retry.
    public static let internalError = RPCStatusCode(rawValue: 13)
    /// The peer cannot be reached or is shutting down; retry with exponential backoff.
    public static let unavailable = RPCStatusCode(rawValue: 14)
    /// Data was lost beyond recovery; do not retry.
    public static let dataLoss = RPCStatusCode(rawValue: 15)
    /// The caller's identity is unknown; do not retry.
    public static let unauthenticated = RPCStatusCode(rawValue: 16)
}

extension RPCStatusCode: CustomStringConvertible {
    private static let names = [
        "OK", "CANCELLED", "UNKNOWN", "INVALID_ARGUMENT", "DEADLINE_EXCEEDED", "NOT_FOUND", "ALREADY_EXISTS",
        "PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION", "ABORTED", "OUT_OF_RANGE", "UNIMPLEMENTED",
        "INTERNAL", "UNAVAILABLE", "DATA_LOSS", "UNAUTHENTICATED",
    ]

    /// The code's gRPC name, or its number if the code is unknown.
    public var description: String {
        rawValue < UInt32(Self.names.count) ? Self.names[Int(rawValue)] : "CODE_\(rawValue)"
    }
}
