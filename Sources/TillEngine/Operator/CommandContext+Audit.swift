import FoundationEssentials
import TillModel

extension CommandContext {
    /// Records what an operator does, in the same commit as its effect.
    ///
    /// - Parameters:
    ///   - action: The method, for example `Refund`.
    ///   - subject: What it is done to, for example a transaction's identity.
    ///   - detail: What was asked for, in a fixed form.
    /// - Throws: `invalidArgument` for a reason that is too long, which ``OperatorIdentity/validate()`` finds before.
    mutating func audit(_ action: String, subject: String, detail: String, by identity: OperatorIdentity) throws {
        try identity.validate()
        let link = AuditLink(
            after: try ledger.lastAudit(),
            date: now,
            action: action,
            subject: subject,
            detail: detail,
            by: identity
        )
        try ledger.append(link)
    }
}
