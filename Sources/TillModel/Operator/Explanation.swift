/// Why a transaction is as it is, for people, and what can be done about it.
public struct Explanation: Hashable, Sendable {
    public static let actionsMaximum = 16
    public static let historyMaximum = 100
    public static let chargesMaximum = 32
    public static let refundsMaximum = 32
    /// The longest sentence, action, actor or detail, in bytes of UTF-8.
    public static let textMaximumBytes = 1024

    public var application: String
    /// Who pays.
    public var account: String
    public var transaction: Transaction
    /// The present state, and what it waits for.
    public var sentence: String
    /// Commands that are safe now; at most ``actionsMaximum``.
    public var actions: [String]
    /// The oldest first; the newest ``historyMaximum`` of them.
    public var history: [HistoryEntry]
    /// The oldest first; the newest ``chargesMaximum`` of them.
    public var charges: [ChargeSummary]
    /// The oldest first; the newest ``refundsMaximum`` of them.
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
