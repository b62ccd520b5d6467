/// The error of a call, across modules and across the wire: a code to branch on, a message to read, and a cause to log.
public struct TillError: Error, Sendable {
    public var code: Code
    /// One sentence that names the problem and says what to do. It contains no secret; do not parse it.
    public var message: String
    /// Logged where the error occurred, never sent to a peer.
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
    /// The set is open: an unknown code from a newer peer is kept and printed, and never traps.
    public struct Code: RawRepresentable, Hashable, Sendable {
        public let rawValue: UInt32

        public init(rawValue: UInt32) {
            self.rawValue = rawValue
        }

        /// The call was cancelled, usually by its caller. It may have taken effect; retry with the same id.
        public static let cancelled = Code(rawValue: 1)
        /// An error without a better code. It may have taken effect.
        public static let unknown = Code(rawValue: 2)
        /// The request is invalid. Nothing happened, and retrying does not help.
        public static let invalidArgument = Code(rawValue: 3)
        /// The deadline passed without an answer. It may have taken effect; retry with the same id.
        public static let deadlineExceeded = Code(rawValue: 4)
        /// The queue has no such object. Retrying does not help.
        public static let notFound = Code(rawValue: 5)
        /// The id is already used for another object. Nothing happened; a new request needs a new id.
        public static let alreadyExists = Code(rawValue: 6)
        /// The peer is not allowed to do this. Nothing happened, and retrying does not help.
        public static let permissionDenied = Code(rawValue: 7)
        /// A limit was reached. Nothing happened; retry later.
        public static let resourceExhausted = Code(rawValue: 8)
        /// The current state does not allow the call, for example finishing a purchase in progress. Nothing happened.
        public static let failedPrecondition = Code(rawValue: 9)
        /// The peer does not know the method. Nothing happened.
        public static let unimplemented = Code(rawValue: 12)
        /// The peer has an internal error. The call may have taken effect.
        public static let `internal` = Code(rawValue: 13)
        /// The peer did not answer. It may have taken effect; retry with the same id.
        public static let unavailable = Code(rawValue: 14)
        /// Stored data cannot be read. Retrying does not help.
        public static let dataLoss = Code(rawValue: 15)
    }
}

extension TillError.Code: CustomStringConvertible {
    /// The code's gRPC name, or its number if it is unknown here.
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
    /// The code and the message, but not the cause, which may contain information that a peer must not see.
    public var description: String {
        "\(code): \(message)"
    }
}
