/// A way to pay that an account keeps at the provider for renewals, such as a card.
public struct PaymentMethod: Hashable, Sendable, Identifiable {
    /// The provider's name for it.
    public var id: String
    /// The provider's word for its kind, for example `card` or `sepa_debit`.
    public var type: String
    /// For example `visa`; nil if its kind has none.
    public var brand: String?
    /// The last characters of its number; nil if its kind has none.
    public var lastDigits: String?
    /// The month at whose end it expires, for example `2034-12` (ISO 8601); nil if it does not.
    public var expirationMonth: String?
    /// Whether it pays for the next renewal.
    public var isDefault: Bool

    public init(
        id: String,
        type: String,
        brand: String? = nil,
        lastDigits: String? = nil,
        expirationMonth: String? = nil,
        isDefault: Bool = false
    ) {
        self.id = id
        self.type = type
        self.brand = brand
        self.lastDigits = lastDigits
        self.expirationMonth = expirationMonth
        self.isDefault = isDefault
    }
}

/// What a payer does on the provider's page for payment methods.
public enum PaymentMethodTask: Int, Hashable, Sendable, CaseIterable {
    /// A payment method is added, which becomes the default one.
    case add = 0
    /// The payer adds, chooses and removes payment methods.
    case manage = 1
}
