public import FoundationEssentials

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
