public import FoundationEssentials

/// Money that a charge took, or that a refund gave back.
public struct LedgerEntry: Hashable, Sendable {
    public enum Kind: Int, Hashable, Sendable, CaseIterable {
        case charge = 0
        case refund = 1
    }

    /// When the provider was first asked for it.
    public var date: Date
    public var kind: Kind
    /// The payment that was charged for.
    public var paymentID: UUID
    /// Nil for a charge.
    public var refundID: UUID?
    public var application: String
    /// The paying account.
    public var account: String
    public var productID: String
    /// The quantity that was bought, or revoked; 0 for a refund of money alone.
    public var quantity: Int
    /// In minor units of the currency; at least 1.
    public var amount: Int64
    /// ISO 4217.
    public var currency: String
    /// The provider's name for the charge or refund.
    public var reference: String?

    public init(
        date: Date,
        kind: Kind,
        paymentID: UUID,
        refundID: UUID? = nil,
        application: String,
        account: String,
        productID: String,
        quantity: Int,
        amount: Int64,
        currency: String,
        reference: String? = nil
    ) {
        self.date = date
        self.kind = kind
        self.paymentID = paymentID
        self.refundID = refundID
        self.application = application
        self.account = account
        self.productID = productID
        self.quantity = quantity
        self.amount = amount
        self.currency = currency
        self.reference = reference
    }
}
