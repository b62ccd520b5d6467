package import FoundationEssentials

/// A payer's choice of another payment method at the provider, or a new expiry date of the present one.
package struct PaymentMethodChange: Hashable, Sendable {
    /// The provider's name for the change, by which it is followed once.
    package var reference: String
    /// Payments of the payer, at least one of which this ledger has. All are of one account.
    package var payments: [UUID]

    package init(reference: String, payments: [UUID]) {
        self.reference = reference
        self.payments = payments
    }
}
