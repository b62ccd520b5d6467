import FoundationEssentials
import TillAudit
package import TillModel

extension AuditRecord {
    /// The link that follows `previous`, or the first of all.
    init(
        after previous: AuditRecord?,
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
        hash = AuditChain.hash(of: link)
    }

    /// The link as clients verify it.
    package var link: AuditLink {
        AuditLink(
            sequence: sequence,
            date: date,
            uid: uid,
            action: action,
            subject: subject,
            detail: detail,
            reason: reason,
            previousHash: previousHash,
            hash: hash
        )
    }
}
