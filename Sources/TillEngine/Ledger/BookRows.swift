package import FoundationEssentials
package import TillModel

/// The history of transactions, the audit log, and what operators have set.
package protocol BookReader {
    /// What happened to the transaction, the oldest first.
    func history(ofTransaction key: Int64) throws -> [HistoryRecord]
    /// Links of the audit log after `sequence`, in order.
    func audit(after sequence: Int64, limit: Int) throws -> [AuditLink]
    func lastAudit() throws -> AuditLink?
    /// What operators have set, by name.
    func settings() throws -> [String: String]
    /// When the next charge, subscription, refund or wait for a person is due.
    func nextDue() throws -> Date?
}

package protocol BookWriter {
    /// Appends to the transaction's history, and deletes all but the newest `keeping` entries of that kind.
    func append(_ entry: HistoryRecord, keeping: Int) throws
    /// Appends a link to the audit log; its sequence has to be the next.
    func append(_ link: AuditLink) throws
    /// Sets, or with nil takes back, what operators have set.
    func setSetting(_ name: String, to value: String?) throws
}
