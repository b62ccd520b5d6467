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
