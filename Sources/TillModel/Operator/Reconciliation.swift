public import FoundationEssentials

/// A charge as an operator sees it.
public struct ChargeSummary: Hashable, Sendable {
    public enum State: Int, Hashable, Sendable, CaseIterable {
        /// The charge waits for another charge.
        case waiting = 0
        /// The request has not been sent, or its outcome is unknown.
        case open = 1
        case succeeded = 2
        case declined = 3
        /// No charge was needed: the product is already owned or free.
        case unneeded = 4
        /// The outcome stayed unknown; an operator must determine it.
        case needsReview = 5
        /// The charge must not be sent before a person agrees.
        case held = 6
    }

    /// The payment's id, which is the provider's idempotency key.
    public var paymentID: UUID
    public var state: State
    /// The amount in minor units.
    public var amount: Int64
    /// ISO 4217.
    public var currency: String
    /// How often the provider was called without a clear answer.
    public var attempts: Int
    /// The provider's reference for the charge.
    public var reference: String?
    /// When the provider is called next, for an open charge.
    public var dueAt: Date

    public init(
        paymentID: UUID,
        state: State,
        amount: Int64,
        currency: String,
        attempts: Int = 0,
        reference: String? = nil,
        dueAt: Date
    ) {
        self.paymentID = paymentID
        self.state = state
        self.amount = amount
        self.currency = currency
        self.attempts = attempts
        self.reference = reference
        self.dueAt = dueAt
    }
}

/// An operator's finding about a charge whose outcome stayed unknown.
public enum ReviewOutcome: Hashable, Sendable {
    /// The provider charged, with this reference.
    case charged(reference: String?)
    case notCharged
}

/// The comparison of the ledger's and the provider's records of one payment.
public struct ReconciliationRow: Hashable, Sendable {
    public enum Finding: Int, Hashable, Sendable, CaseIterable {
        /// Charged in both records, or in neither.
        case agrees = 0
        /// The ledger's charge is open, but the provider has its outcome.
        case open = 1
        /// The provider has a charge that is missing in the ledger.
        case missingInLedger = 2
        /// The ledger has a charge that the provider does not know.
        case missingAtProvider = 3
        case differentAmount = 4
        /// The provider charged one payment more than once.
        case chargedTwice = 5
    }

    public var paymentID: UUID
    public var finding: Finding
    /// Nil if the ledger has no such charge.
    public var ledgerState: ChargeSummary.State?
    /// The amount in minor units.
    public var ledgerAmount: Int64?
    /// The amount in minor units. Nil if the provider has no such charge.
    public var providerAmount: Int64?
    /// ISO 4217.
    public var currency: String
    /// The provider's reference for the charge.
    public var reference: String?
    public var productID: String?

    public init(
        paymentID: UUID,
        finding: Finding,
        ledgerState: ChargeSummary.State? = nil,
        ledgerAmount: Int64? = nil,
        providerAmount: Int64? = nil,
        currency: String,
        reference: String? = nil,
        productID: String? = nil
    ) {
        self.paymentID = paymentID
        self.finding = finding
        self.ledgerState = ledgerState
        self.ledgerAmount = ledgerAmount
        self.providerAmount = providerAmount
        self.currency = currency
        self.reference = reference
        self.productID = productID
    }
}

/// One page of a comparison of the ledger's charges with the provider's.
public struct ReconciliationPage: Hashable, Sendable {
    public static let rowsMaximum = 128

    /// At most ``rowsMaximum``.
    public var rows: [ReconciliationRow]
    /// The start of the next page; nil after the last.
    public var next: UInt64?
    /// Whether this page has no discrepancy.
    public var agrees: Bool
    /// The number of charges that this page compares.
    public var compared: Int
    /// The number of charges that were prepared at the provider, which nobody will make, and which were cancelled now.
    public var discarded: Int

    public init(
        rows: [ReconciliationRow],
        next: UInt64? = nil,
        agrees: Bool,
        compared: Int,
        discarded: Int = 0
    ) {
        self.rows = rows
        self.next = next
        self.agrees = agrees
        self.compared = compared
        self.discarded = discarded
    }
}
