package import FoundationEssentials

/// A refund or a dispute of a payment, as it is in the provider's record now.
package struct ProviderReversal: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// A refund, and its identity if Till asked for it. Without one it was made elsewhere.
        case refund(UUID?)
        /// The payer's bank disputes the payment.
        case dispute
    }

    package enum Status: Hashable, Sendable {
        /// No money has moved, and none may ever: a refund that is not carried out yet, or a bank that only asks.
        case pending
        /// The provider keeps the money back until the dispute is decided.
        case withheld
        /// The money is the payer's.
        case succeeded
        /// The money is the merchant's: the refund failed, perhaps after it had succeeded, or the dispute was won.
        case failed
    }

    /// The provider's name for it.
    package var reference: String
    package var kind: Kind
    package var status: Status
    /// The payment that it takes back a part of.
    package var paymentID: UUID
    /// Minor units.
    package var amount: Int64
    /// ISO 4217.
    package var currency: String

    /// The refund's identity, if Till asked for it.
    var refundID: UUID? {
        if case .refund(let id) = kind { id } else { nil }
    }

    package init(
        reference: String,
        kind: Kind,
        status: Status,
        paymentID: UUID,
        amount: Int64,
        currency: String
    ) {
        self.reference = reference
        self.kind = kind
        self.status = status
        self.paymentID = paymentID
        self.amount = amount
        self.currency = currency
    }
}

/// What may have changed since a provider was asked before.
package struct ProviderNews: Hashable, Sendable {
    /// Refunds and disputes, the oldest first. The same one may come again, changed or not.
    package var reversals: [ProviderReversal]
    /// The payers' changes, the oldest first. The same one may come again.
    package var methods: [PaymentMethodChange]
    /// Where to continue. Only the provider reads it.
    package var cursor: String
    /// Whether there is more already.
    package var isMore: Bool

    package init(
        reversals: [ProviderReversal],
        methods: [PaymentMethodChange] = [],
        cursor: String,
        isMore: Bool
    ) {
        self.reversals = reversals
        self.methods = methods
        self.cursor = cursor
        self.isMore = isMore
    }
}
