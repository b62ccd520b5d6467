package import FoundationEssentials

/// Something that happened to a transaction, for people who ask why it is as it is. Nothing is decided by it.
package struct HistoryRecord: Hashable, Sendable {
    package enum Kind: Int, Hashable, Sendable, CaseIterable {
        /// It changed, by a person or by the daemon.
        case change = 0
        /// The provider was called.
        case providerCall = 1
        /// An observer was sent it.
        case delivery = 2
    }

    package var transactionKey: Int64
    package var date: Date
    package var kind: Kind
    /// Who: `tilld`, or a user and process, for example `uid:1000 pid:4711`.
    package var actor: String
    /// What, in a sentence for people.
    package var detail: String

    package init(transactionKey: Int64, date: Date, kind: Kind, actor: String, detail: String) {
        self.transactionKey = transactionKey
        self.date = date
        self.kind = kind
        self.actor = actor
        self.detail = detail
    }
}
