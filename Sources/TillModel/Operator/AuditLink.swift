public import FoundationEssentials

/// What an operator did, chained by hash to all that was done before.
public struct AuditLink: Hashable, Sendable {
    /// From 1, without gaps.
    public var sequence: Int64
    public var date: Date
    public var uid: UInt32
    /// The method, for example `Refund`.
    public var action: String
    /// What it was done to, for example a transaction's identity.
    public var subject: String
    /// What was asked for, in a fixed form.
    public var detail: String
    /// Why, in the operator's words.
    public var reason: String
    /// SHA-256 of the link before; 32 zeros for the first.
    public var previousHash: [UInt8]
    /// SHA-256 of this link.
    public var hash: [UInt8]

    public init(
        sequence: Int64,
        date: Date,
        uid: UInt32,
        action: String,
        subject: String,
        detail: String,
        reason: String,
        previousHash: [UInt8],
        hash: [UInt8]
    ) {
        self.sequence = sequence
        self.date = date
        self.uid = uid
        self.action = action
        self.subject = subject
        self.detail = detail
        self.reason = reason
        self.previousHash = previousHash
        self.hash = hash
    }
}
