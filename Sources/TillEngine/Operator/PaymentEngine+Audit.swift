import FoundationEssentials
import TillAudit
package import TillModel

extension PaymentEngine {
    /// Links in one page of the audit log.
    package static let auditPageMaximum = 64

    /// A page of operators' actions, the oldest first.
    ///
    /// - Parameters:
    ///   - sequence: The sequence of the last link that the caller has; 0 for the first page.
    ///   - limit: 1 to ``auditPageMaximum``.
    package func audit(after sequence: Int64, limit: Int) async throws(TillError) -> [AuditLink] {
        guard (1...Self.auditPageMaximum).contains(limit) else {
            throw TillError(.invalidArgument, "The page size must be 1 to \(Self.auditPageMaximum).")
        }
        return try await read { try $0.audit(after: sequence, limit: limit) }
    }

    /// The sequence of the newest link; 0 without any.
    package func auditHead() async throws(TillError) -> Int64 {
        try await read { try $0.lastAudit()?.sequence ?? 0 }
    }

    /// Records that the operator takes a backup, which shows all accounts' purchases.
    package func recordBackup(withKeys: Bool, by identity: OperatorIdentity) async throws(TillError) {
        try await commit { context in
            let detail = withKeys ? "with keys" : "without keys"
            try context.audit("Backup", subject: "ledger", detail: detail, by: identity)
            return .success(())
        }
    }
}

/// The user who acts as an operator, and the reason.
package struct OperatorIdentity: Hashable, Sendable {
    /// The longest reason, in bytes of UTF-8.
    package static let reasonMaximumBytes = 256

    /// The user's ID, from kernel credentials.
    package var uid: UInt32
    /// In the operator's words; at most ``reasonMaximumBytes``.
    package var reason: String

    package init(uid: UInt32, reason: String) {
        self.uid = uid
        self.reason = reason
    }

    /// Checks the reason before a command, so that a command that cannot be recorded never begins.
    ///
    /// - Throws: `invalidArgument` for a reason that is too long.
    package func validate() throws(TillError) {
        guard reason.utf8.count <= Self.reasonMaximumBytes else {
            throw TillError(.invalidArgument, "The reason must be at most \(Self.reasonMaximumBytes) bytes.")
        }
    }
}

extension AuditLink {
    /// The link that follows `previous`, or the first link.
    init(
        after previous: AuditLink?,
        date: Date,
        host: String,
        action: String,
        subject: String,
        detail: String,
        by identity: OperatorIdentity
    ) {
        self.init(
            sequence: (previous?.sequence ?? AuditHead.start.sequence) + 1,
            date: date,
            uid: identity.uid,
            host: host,
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
