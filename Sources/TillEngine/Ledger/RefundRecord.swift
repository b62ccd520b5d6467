package import FoundationEssentials
package import TillModel

/// The intent to refund a purchase or a part of it, and its outcome. Committed before the provider is called.
package struct RefundRecord: Hashable, Sendable {
    package enum State: Int, Hashable, Sendable, CaseIterable {
        /// To be sent, or perhaps sent already: the provider is queried before it is sent again.
        case open = 0
        case succeeded = 1
        case failed = 2
        /// Still unknown when the provider may have forgotten it: only an operator can decide.
        case needsReview = 3
    }

    /// The refund's identity, and the provider's idempotency key.
    package var id: UUID
    package var transactionKey: Int64
    package var queue: Int64
    /// How many of the payment's quantity; 0 to give back money alone.
    package var quantity: Int
    /// Minor units; 0 to revoke without giving money back, and for a purchase that cost nothing.
    package var amount: Int64
    /// Whether the purchase is revoked and the seller keeps the money.
    package var keepsMoney: Bool
    /// ISO 4217.
    package var currency: String
    package var reason: Revocation.Reason
    package var state: State
    /// How often the provider was called for it without a clear answer.
    package var attempts: Int
    package var createdAt: Date
    /// When to query the provider next.
    package var dueAt: Date
    /// The provider's name for the refund.
    package var reference: String?

    package init(
        id: UUID,
        transactionKey: Int64,
        queue: Int64,
        quantity: Int,
        amount: Int64,
        keepsMoney: Bool = false,
        currency: String,
        reason: Revocation.Reason,
        state: State = .open,
        attempts: Int = 0,
        createdAt: Date,
        dueAt: Date,
        reference: String? = nil
    ) {
        self.id = id
        self.transactionKey = transactionKey
        self.queue = queue
        self.quantity = quantity
        self.amount = amount
        self.keepsMoney = keepsMoney
        self.currency = currency
        self.reason = reason
        self.state = state
        self.attempts = attempts
        self.createdAt = createdAt
        self.dueAt = dueAt
        self.reference = reference
    }
}

package protocol RefundReader {
    func refund(_ id: UUID) throws -> RefundRecord?
    /// All refunds of the transaction, the oldest first.
    func refunds(ofTransaction key: Int64) throws -> [RefundRecord]
    /// The refunds of all transactions with a key in the range, those of a transaction together and the oldest first.
    func refunds(ofTransactions keys: ClosedRange<Int64>) throws -> [RefundRecord]
    /// Open refunds that are due at `date` or before, the longest due first.
    func dueRefunds(at date: Date, limit: Int) throws -> [RefundRecord]
    /// Open refunds that are due only after `date`, the latest due first.
    func refunds(dueAfter date: Date, limit: Int) throws -> [RefundRecord]
}

package protocol RefundWriter {
    func insert(_ refund: RefundRecord) throws
    /// Replaces the columns that may change: quantity, state, attempts, due date, reference.
    func update(_ refund: RefundRecord) throws
}
