public import FoundationEssentials

/// An event in a transaction's history.
public struct HistoryEntry: Hashable, Sendable {
    public enum Kind: Int, Hashable, Sendable, CaseIterable {
        /// A person or the daemon changed the transaction.
        case change = 0
        /// The daemon called the provider.
        case providerCall = 1
        /// The daemon sent the transaction to an observer.
        case delivery = 2
    }

    public var date: Date
    public var kind: Kind
    /// The daemon, or a user and process, for example `uid:1000 pid:4711`.
    public var actor: String
    /// A description, in one sentence for people.
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
