package import FoundationEssentials
package import TillModel

/// Something that happened to a transaction, for people who ask how it got its state. Nothing is decided by it.
package struct HistoryRecord: Hashable, Sendable {
    package enum Kind: Int, Hashable, Sendable, CaseIterable {
        /// A person or the daemon changed it.
        case change = 0
        /// The provider was called.
        case providerCall = 1
        /// It was sent to an observer.
        case delivery = 2
    }

    /// The actor that is the daemon itself.
    package static let daemon = "tilld"

    package var transactionKey: Int64
    package var date: Date
    package var kind: Kind
    /// The actor: `tilld`, or a user and process, for example `uid:1000 pid:4711`.
    package var actor: String
    /// The event, in a sentence for people.
    package var detail: String

    package init(transactionKey: Int64, date: Date, kind: Kind, actor: String, detail: String) {
        self.transactionKey = transactionKey
        self.date = date
        self.kind = kind
        self.actor = actor
        self.detail = detail
    }
}

/// The history of transactions, the audit log, and operators' settings.
package protocol BookReader {
    /// The transaction's history, the oldest entry first.
    func history(ofTransaction key: Int64) throws -> [HistoryRecord]
    /// Links of the audit log after `sequence`, in order.
    func audit(after sequence: Int64, limit: Int) throws -> [AuditLink]
    func lastAudit() throws -> AuditLink?
    /// Operators' settings, by name.
    func settings() throws -> [String: String]
    /// When the next charge, subscription, refund or wait for a person is due.
    func nextDue() throws -> Date?
}

package protocol BookWriter {
    /// Appends to the transaction's history, and deletes all but the newest `keeping` entries of that kind.
    func append(_ entry: HistoryRecord, keeping: Int) throws
    /// Appends a link to the audit log; its sequence has to be the next.
    func append(_ link: AuditLink) throws
    /// Stores an operator's setting, or with nil removes it.
    func setSetting(_ name: String, to value: String?) throws
    /// Makes the commit write, so that it is flushed, without a change to any value.
    func touch() throws
}
