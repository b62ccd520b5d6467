package import FoundationEssentials

/// The intent to charge for a transaction, and what became of it. Committed before the provider is first called.
package struct ChargeRecord: Hashable, Sendable {
    package enum State: Int, Hashable, Sendable, CaseIterable {
        /// Another charge for the same product, which is bought once, comes first.
        case waiting = 0
        /// To be sent, or perhaps sent: the provider is asked before it is sent again.
        case open = 1
        case succeeded = 2
        case declined = 3
        /// Settled without the provider: the product turned out to be owned, or to cost nothing.
        case unneeded = 4
        /// Still unknown when the provider may have forgotten it; only an operator can decide.
        case needsReview = 5

        package var isSettled: Bool {
            self != .waiting && self != .open
        }
    }

    package var transactionKey: Int64
    package var queue: Int64
    package var request: ChargeRequest
    package var state: State
    /// How often the provider was called for it without a clear answer.
    package var attempts: Int
    package var createdAt: Date
    /// When to ask the provider next.
    package var dueAt: Date
    /// The provider's name for the charge.
    package var reference: String?

    package init(
        transactionKey: Int64,
        queue: Int64,
        request: ChargeRequest,
        state: State,
        attempts: Int = 0,
        createdAt: Date,
        dueAt: Date,
        reference: String? = nil
    ) {
        self.transactionKey = transactionKey
        self.queue = queue
        self.request = request
        self.state = state
        self.attempts = attempts
        self.createdAt = createdAt
        self.dueAt = dueAt
        self.reference = reference
    }
}
