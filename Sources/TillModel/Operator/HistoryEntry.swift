public import FoundationEssentials

/// Something that happened to a transaction.
public struct HistoryEntry: Hashable, Sendable {
    public enum Kind: Int, Hashable, Sendable, CaseIterable {
        /// It changed, by a person or by the daemon.
        case change = 0
        /// The provider was called.
        case providerCall = 1
        /// An observer was sent it.
        case delivery = 2
    }

    public var date: Date
    public var kind: Kind
    /// Who: the daemon, or a user and process, for example `uid:1000 pid:4711`.
    public var actor: String
    /// What, in a sentence for people.
    public var detail: String

    public init(
        date: Date,
        kind: Kind,
        actor: String,
        detail: String
    ) {
        self.date = date
        self.kind = kind
        self.actor = actor
        self.detail = detail
    }
}
