package import FoundationEssentials
package import TillModel

/// The intent to charge for a transaction or for a subscription's renewal, and its outcome. Committed before the
/// provider is first called.
package struct ChargeRecord: Hashable, Sendable {
    package enum State: Int, Hashable, Sendable, CaseIterable {
        /// It waits for another charge of the same exclusive group.
        case waiting = 0
        /// To be sent, or perhaps sent already: the provider is queried before it is sent again.
        case open = 1
        case succeeded = 2
        case declined = 3
        /// Settled without the provider, because the account owned the product or it cost nothing.
        case unneeded = 4
        /// Still unknown when the provider may have forgotten it: only an operator can decide.
        case needsReview = 5
        /// Not to be sent before a person agrees.
        case held = 6

        package var isSettled: Bool {
            self != .waiting && self != .open && self != .held
        }
    }

    /// The keys of charges that were inserted without a transaction; no transaction has one of them.
    package static let renewalKeys: ClosedRange<Int64> = 1 << 62 ... .max

    /// The ledger's key: that of its transaction, or one of ``renewalKeys``; 0 until inserted.
    package var key: Int64
    /// The transaction that it pays for; nil for a renewal that has not succeeded.
    package var transactionKey: Int64?
    /// The subscription whose renewal it pays for.
    package var subscriptionKey: Int64?
    package var queue: Int64
    /// Of the queue's charges with the same exclusive group, one at a time is open. It names a subscription group, or a
    /// product that is bought once. Nil for products that are bought repeatedly.
    package var exclusiveGroup: String?
    package var request: ChargeRequest
    /// For the first period of a subscription with an offer, what each period costs after that, in minor units.
    package var amountAfterOffer: Int64?
    /// The offer that set a renewal's amount; for a purchase, its transaction has the offer.
    package var renewalOffer: AppliedOffer?
    package var state: State
    /// How often the provider was called for it without a clear answer.
    package var attempts: Int
    /// When it became open, so that the provider may have been called; for a charge that never was open, when it was
    /// last decided about.
    package var createdAt: Date
    /// When to query the provider next.
    package var dueAt: Date
    /// The provider's name for the charge.
    package var reference: String?

    package init(
        key: Int64 = 0,
        transactionKey: Int64?,
        subscriptionKey: Int64? = nil,
        queue: Int64,
        exclusiveGroup: String? = nil,
        request: ChargeRequest,
        amountAfterOffer: Int64? = nil,
        renewalOffer: AppliedOffer? = nil,
        state: State,
        attempts: Int = 0,
        createdAt: Date,
        dueAt: Date,
        reference: String? = nil
    ) {
        self.key = key
        self.transactionKey = transactionKey
        self.subscriptionKey = subscriptionKey
        self.queue = queue
        self.exclusiveGroup = exclusiveGroup
        self.request = request
        self.amountAfterOffer = amountAfterOffer
        self.renewalOffer = renewalOffer
        self.state = state
        self.attempts = attempts
        self.createdAt = createdAt
        self.dueAt = dueAt
        self.reference = reference
    }
}

package protocol ChargeReader {
    func charge(key: Int64) throws -> ChargeRecord?
    func charge(forTransaction key: Int64) throws -> ChargeRecord?
    /// The charge of a renewal by its payment, also before the renewal has a transaction.
    func renewalCharge(ofPayment id: UUID) throws -> ChargeRecord?
    /// Open charges that are due at `date` or before, the longest due first.
    func dueCharges(at date: Date, limit: Int) throws -> [ChargeRecord]
    /// Open charges that are due only after `date`, the latest due first.
    func charges(dueAfter date: Date, limit: Int) throws -> [ChargeRecord]
    /// The queue's open and waiting charges of the exclusive group: the open one first, the others by key.
    func unsettledCharges(exclusiveGroup: String, in queue: Int64, limit: Int) throws -> [ChargeRecord]
    /// The oldest charge for a renewal of the subscription whose outcome is unknown.
    func chargeInReview(ofSubscription key: Int64) throws -> ChargeRecord?
    /// All charges with a key above `key`, by key, for comparing them with the provider's record.
    func charges(afterKey key: Int64, limit: Int) throws -> [ChargeRecord]
}

extension LedgerReader {
    /// The charge of a payment, by the identity that the provider knows.
    ///
    /// The charge is that of the payment's transaction, or of a renewal that has none yet. A charge that was under review
    /// went to the transaction that continues the purchase, which is looked for in the whole queue.
    func charge(ofPayment id: UUID) throws -> ChargeRecord? {
        guard let transaction = try transaction(id) else {
            return try renewalCharge(ofPayment: id)
        }
        if let charge = try charge(forTransaction: transaction.key), charge.request.paymentID == id {
            return charge
        }
        var revision: UInt64 = 0
        while true {
            let page = try transactions(in: transaction.queue, changedAfter: revision, limit: 256)
            if let continuing = page.first(where: { $0.continues == id }) {
                return try charge(forTransaction: continuing.key)
            }
            guard let last = page.last else {
                return nil
            }
            revision = last.revision
        }
    }
}

package protocol ChargeWriter {
    /// Inserts the charge, and returns its key: without a transaction, the next of ``ChargeRecord/renewalKeys``.
    func insert(_ charge: ChargeRecord) throws -> Int64
    /// Replaces what may change: transaction, amounts and currency, state, attempts, dates, reference. A charge that
    /// moves from one transaction to another gets that one's key.
    func update(_ charge: ChargeRecord) throws
}

extension ChargeRecord {
    /// Whether it is for a renewal, which has no transaction before it is paid for.
    var isUnpaidRenewal: Bool {
        transactionKey == nil && subscriptionKey != nil
    }

    /// The stored record with everything that an update may change, except the transaction, as in this one.
    package func updating(_ stored: ChargeRecord) -> ChargeRecord {
        var record = stored
        record.state = state
        record.attempts = attempts
        record.createdAt = createdAt
        record.dueAt = dueAt
        record.reference = reference
        record.request.amount = request.amount
        record.request.currency = request.currency
        record.amountAfterOffer = amountAfterOffer
        return record
    }
}
