package import FoundationEssentials

/// A payer's choice of another payment method at the provider, or a new expiry date of the present one.
package struct PaymentMethodChange: Hashable, Sendable {
    /// The provider's name for the change, by which it is followed once.
    package var reference: String
    /// Payments of the payer, the newest first. They belong to one account, and this ledger may have only some of them.
    package var payments: [UUID]

    package init(reference: String, payments: [UUID]) {
        self.reference = reference
        self.payments = payments
    }
}
