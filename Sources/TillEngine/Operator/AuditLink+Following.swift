import FoundationEssentials
import TillAudit
import TillModel

extension AuditLink {
    /// The link that follows `previous`, or the first of all.
    init(
        after previous: AuditLink?,
        date: Date,
        action: String,
        subject: String,
        detail: String,
        by identity: OperatorIdentity
    ) {
        self.init(
            sequence: (previous?.sequence ?? AuditHead.start.sequence) + 1,
            date: date,
            uid: identity.uid,
            action: action,
            subject: subject,
            detail: detail,
            reason: identity.reason,
            previousHash: previous?.hash ?? AuditHead.start.hash,
            hash: []
        )
        hash = AuditChain.hash(of: self)
    }
}
