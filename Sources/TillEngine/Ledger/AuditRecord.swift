package import FoundationEssentials

/// A link of the audit log: what an operator did, chained by hash to all that was done before.
package struct AuditRecord: Hashable, Sendable {
    /// From 1, without gaps.
    package var sequence: Int64
    package var date: Date
    package var uid: UInt32
    /// The method, for example `Refund`.
    package var action: String
    /// What it was done to, for example a transaction's identity.
    package var subject: String
    /// What was asked for, in a fixed form.
    package var detail: String
    /// Why, in the operator's words.
    package var reason: String
    /// SHA-256 of the link before; 32 zeros for the first.
    package var previousHash: [UInt8]
    /// SHA-256 of this link.
    package var hash: [UInt8]

    package init(
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
