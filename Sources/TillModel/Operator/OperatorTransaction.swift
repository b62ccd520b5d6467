public import FoundationEssentials

/// A transaction of any queue, as an operator sees it.
public struct OperatorTransaction: Hashable, Sendable {
    public var application: String
    /// The paying account.
    public var account: String
    public var transaction: Transaction
    /// Whether the outcome of the charge stayed unknown, so that an operator must determine it.
    public var needsReview: Bool

    public init(
        application: String,
        account: String,
        transaction: Transaction,
        needsReview: Bool = false
    ) {
        self.application = application
        self.account = account
        self.transaction = transaction
        self.needsReview = needsReview
    }
}

/// A filter for transactions; a nil criterion matches every transaction.
public struct TransactionFilter: Hashable, Sendable {
    /// A condition that may require an operator's attention.
    public enum Attention: Int, Hashable, Sendable, CaseIterable {
        /// Purchasing or deferred.
        case pending = 1
        /// Final and not finished by the application.
        case unfinished = 2
        /// The outcome of the charge stayed unknown.
        case needsReview = 3
        /// Interrupted and not resolved.
        case interrupted = 4
        /// Refunded or revoked.
        case revoked = 5
    }

    public var application: String?
    public var account: String?
    public var productID: String?
    public var state: TransactionState?
    public var attention: Attention?

    public init(
        application: String? = nil,
        account: String? = nil,
        productID: String? = nil,
        state: TransactionState? = nil,
        attention: Attention? = nil
    ) {
        self.application = application
        self.account = account
        self.productID = productID
        self.state = state
        self.attention = attention
    }
}

/// An explanation of a transaction's state for people, with the possible actions.
public struct Explanation: Hashable, Sendable {
    public static let actionsMaximum = 16
    public static let historyMaximum = 100
    public static let chargesMaximum = 32
    public static let refundsMaximum = 32
    /// The maximum length of a sentence, action, actor or detail in UTF-8 bytes.
    public static let textMaximumBytes = 1024

    public var application: String
    /// The paying account.
    public var account: String
    public var transaction: Transaction
    /// The current state and the reason it is waiting.
    public var sentence: String
    /// The commands that are safe now; at most ``actionsMaximum``.
    public var actions: [String]
    /// The newest ``historyMaximum`` entries, oldest first.
    public var history: [HistoryEntry]
    /// The newest ``chargesMaximum`` charges, oldest first.
    public var charges: [ChargeSummary]
    /// The newest ``refundsMaximum`` refunds, oldest first.
    public var refunds: [RefundSummary]

    public init(
        application: String,
        account: String,
        transaction: Transaction,
        sentence: String,
        actions: [String] = [],
        history: [HistoryEntry] = [],
        charges: [ChargeSummary] = [],
        refunds: [RefundSummary] = []
    ) {
        self.application = application
        self.account = account
        self.transaction = transaction
        self.sentence = sentence
        self.actions = actions
        self.history = history
        self.charges = charges
        self.refunds = refunds
    }
}

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
