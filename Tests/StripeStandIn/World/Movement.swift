/// Money that moved, which tests compare with what the daemon believes.
package struct Movement: Hashable, Sendable {
    package enum Kind: String, Sendable {
        case charge, refund, dispute
        /// A refund that failed after it had succeeded.
        case refundFailure = "refund_failure"
        /// A dispute that was won.
        case disputeReversal = "dispute_reversal"
    }

    package var kind: Kind
    /// The PaymentIntent.
    package var intent: String
    /// The charge, refund or dispute.
    package var object: String
    package var amount: Int
    package var currency: String
    /// The Unix time on the stand-in's clock.
    package var at: Int
}

/// A request to the API, with its outcome.
package struct LoggedRequest: Hashable, Sendable {
    package var id: String
    package var method: String
    package var path: String
    package var parameters: [String: String]
    package var idempotencyKey: String?
    /// The status of the answer, whether or not the client received it.
    package var status: Int
    package var isReplayed: Bool
    /// The name of the fault.
    package var fault: String?
    package var at: Int
}
