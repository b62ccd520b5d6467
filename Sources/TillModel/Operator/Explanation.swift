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
