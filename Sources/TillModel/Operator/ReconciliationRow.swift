public import FoundationEssentials

/// What two books say of one payment.
public struct ReconciliationRow: Hashable, Sendable {
    public enum Finding: Int, Hashable, Sendable, CaseIterable {
        /// Charged in both, or in neither.
        case agrees = 0
        /// The ledger waits for an answer that the provider has.
        case open = 1
        /// The provider charged, and the ledger says that it did not.
        case missingInLedger = 2
        /// The ledger says that it was charged, and the provider knows nothing of it.
        case missingAtProvider = 3
        case differentAmount = 4
        /// The provider charged one payment more than once.
        case chargedTwice = 5
    }

    public var paymentID: UUID
    public var finding: Finding
    /// Nil when the ledger has no such charge.
    public var ledgerState: ChargeSummary.State?
    /// Minor units.
    public var ledgerAmount: Int64?
    /// Minor units. Nil when the provider has no such charge.
    public var providerAmount: Int64?
    /// ISO 4217.
    public var currency: String
    /// The provider's name for the charge.
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
