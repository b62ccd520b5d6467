/// How a call ended: gRPC's status codes.
///
/// The set is open: a code that a newer peer sends is kept and printed, never trapped on.
public struct RPCStatusCode: RawRepresentable, Hashable, Sendable {
    /// The code's number on the wire.
    public let rawValue: UInt32

    /// Makes a code from its number on the wire.
    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// The call succeeded.
    public static let ok = RPCStatusCode(rawValue: 0)
    /// The caller ended the call; a retry is the caller's choice.
    public static let cancelled = RPCStatusCode(rawValue: 1)
    /// An error that says nothing else; do not retry blindly.
    public static let unknown = RPCStatusCode(rawValue: 2)
    /// The request itself is wrong; retrying it unchanged cannot succeed.
    public static let invalidArgument = RPCStatusCode(rawValue: 3)
    /// No answer came in time; the call may have had its effect, so retry only what is idempotent.
    public static let deadlineExceeded = RPCStatusCode(rawValue: 4)
    /// What the request names does not exist; do not retry.
    public static let notFound = RPCStatusCode(rawValue: 5)
    /// What the request would make exists already; do not retry.
    public static let alreadyExists = RPCStatusCode(rawValue: 6)
    /// The caller may not do this; do not retry.
    public static let permissionDenied = RPCStatusCode(rawValue: 7)
    /// A limit is reached; retry later.
    public static let resourceExhausted = RPCStatusCode(rawValue: 8)
    /// The state does not allow the call; retry only after the state changed.
    public static let failedPrecondition = RPCStatusCode(rawValue: 9)
    /// The call lost against a concurrent one; retry the whole sequence of calls.
    public static let aborted = RPCStatusCode(rawValue: 10)
    /// A value lies outside the valid range; do not retry.
    public static let outOfRange = RPCStatusCode(rawValue: 11)
    /// The server does not know the service or method; do not retry.
    public static let unimplemented = RPCStatusCode(rawValue: 12)
    /// The other side is broken; do not retry.
    public static let internalError = RPCStatusCode(rawValue: 13)
    /// The other side cannot be reached or is going away; retry with a growing delay.
    public static let unavailable = RPCStatusCode(rawValue: 14)
    /// Data was lost beyond recovery; do not retry.
    public static let dataLoss = RPCStatusCode(rawValue: 15)
    /// The caller is not known; do not retry.
    public static let unauthenticated = RPCStatusCode(rawValue: 16)
}

extension RPCStatusCode: CustomStringConvertible {
    private static let names = [
        "OK", "CANCELLED", "UNKNOWN", "INVALID_ARGUMENT", "DEADLINE_EXCEEDED", "NOT_FOUND", "ALREADY_EXISTS",
        "PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION", "ABORTED", "OUT_OF_RANGE", "UNIMPLEMENTED",
        "INTERNAL", "UNAVAILABLE", "DATA_LOSS", "UNAUTHENTICATED",
    ]

    /// The code's name as gRPC writes it, or its number when it is not a known one.
    public var description: String {
        rawValue < UInt32(Self.names.count) ? Self.names[Int(rawValue)] : "CODE_\(rawValue)"
    }
}
