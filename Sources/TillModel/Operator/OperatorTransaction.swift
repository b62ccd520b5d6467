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
