/// What went wrong with a call, across modules and across the wire: a code to branch on, a message to read, a cause to
/// log.
public struct TillError: Error, Sendable {
    public var code: Code
    /// One sentence that names the thing and says what to do. Holds no secret, and nobody parses it.
    public var message: String
    /// Logged where it happened, never sent to a peer.
    public var cause: (any Error)?

    public init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }
}

extension TillError {
    /// A gRPC status code (https://grpc.io/docs/guides/status-codes/).
    ///
    /// The set is open: a code from a newer peer is kept and printed, never trapped on.
    public struct Code: RawRepresentable, Hashable, Sendable {
        public let rawValue: UInt32

        public init(rawValue: UInt32) {
            self.rawValue = rawValue
        }

        /// The call was cancelled, usually by its caller. It may have taken effect; repeat it with the same identity.
        public static let cancelled = Code(rawValue: 1)
        /// An error without a better code. It may have taken effect.
        public static let unknown = Code(rawValue: 2)
        /// The request itself is wrong. Nothing happened, and repeating it does not help.
        public static let invalidArgument = Code(rawValue: 3)
        /// No answer in time. It may have taken effect; repeat it with the same identity.
        public static let deadlineExceeded = Code(rawValue: 4)
        /// There is no such thing in this queue. Repeating does not help.
        public static let notFound = Code(rawValue: 5)
        /// The identity is taken by something else. Nothing happened; a new request needs a new identity.
        public static let alreadyExists = Code(rawValue: 6)
        /// The peer may not do this. Nothing happened, and repeating it does not help.
        public static let permissionDenied = Code(rawValue: 7)
        /// A limit was reached. Nothing happened; repeat it later.
        public static let resourceExhausted = Code(rawValue: 8)
        /// Not in the present state, for example finishing a purchase that is still under way. Nothing happened.
        public static let failedPrecondition = Code(rawValue: 9)
        /// The peer does not know the method. Nothing happened.
        public static let unimplemented = Code(rawValue: 12)
        /// A fault of the peer's own. It may have taken effect.
        public static let `internal` = Code(rawValue: 13)
        /// Nobody answered. It may have taken effect; repeat it with the same identity.
        public static let unavailable = Code(rawValue: 14)
        /// What is stored cannot be read. Repeating does not help.
        public static let dataLoss = Code(rawValue: 15)
    }
}

extension TillError.Code: CustomStringConvertible {
    /// The code's name in gRPC's spelling, or its number when it has none here.
    public var description: String {
        switch self {
        case .cancelled: "CANCELLED"
        case .unknown: "UNKNOWN"
        case .invalidArgument: "INVALID_ARGUMENT"
        case .deadlineExceeded: "DEADLINE_EXCEEDED"
        case .notFound: "NOT_FOUND"
        case .alreadyExists: "ALREADY_EXISTS"
        case .permissionDenied: "PERMISSION_DENIED"
        case .resourceExhausted: "RESOURCE_EXHAUSTED"
        case .failedPrecondition: "FAILED_PRECONDITION"
        case .unimplemented: "UNIMPLEMENTED"
        case .internal: "INTERNAL"
        case .unavailable: "UNAVAILABLE"
        case .dataLoss: "DATA_LOSS"
        default: "CODE_\(rawValue)"
        }
    }
}

extension TillError: CustomStringConvertible {
    /// The code and the message; not the cause, which may hold what a peer must not see.
    public var description: String {
        "\(code): \(message)"
    }
}
