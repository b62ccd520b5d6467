package import FoundationEssentials

/// A charge in the provider's record.
package struct ProviderCharge: Hashable, Sendable {
    package var paymentID: UUID
    /// Minor units.
    package var amount: Int64
    package var currency: String
    package var reference: String
    /// Minor units that were refunded.
    package var refunded: Int64

    package init(paymentID: UUID, amount: Int64, currency: String, reference: String, refunded: Int64 = 0) {
        self.paymentID = paymentID
        self.amount = amount
        self.currency = currency
        self.reference = reference
        self.refunded = refunded
    }
}

/// A charge that was prepared at the provider, and not made.
package struct PreparedCharge: Hashable, Sendable {
    package var paymentID: UUID
    package var reference: String

    package init(paymentID: UUID, reference: String) {
        self.paymentID = paymentID
        self.reference = reference
    }

    /// Whether nobody will make it: the ledger has no charge that may still be made by this reference.
    func isAbandoned(_ charge: ChargeRecord?) -> Bool {
        guard let charge, charge.state == .open || charge.state == .needsReview else {
            return true
        }
        // The answer that names it may still be on its way into the ledger.
        return charge.reference != nil && charge.reference != reference
    }
}

/// A page of the provider's own record.
package struct ProviderRecordPage: Hashable, Sendable {
    package var charges: [ProviderCharge]
    package var prepared: [PreparedCharge]
    /// Where the record continues; nil at its end.
    package var next: String?

    package init(charges: [ProviderCharge] = [], prepared: [PreparedCharge] = [], next: String? = nil) {
        self.charges = charges
        self.prepared = prepared
        self.next = next
    }
}

extension ProviderRecordPage {
    /// A page of a record that is in memory. Its cursor is a number of charges.
    package init(_ record: some RandomAccessCollection<ProviderCharge>, after cursor: String?, limit: Int) {
        let start = min(max(0, cursor.flatMap { Int($0) } ?? 0), record.count)
        let end = min(start + limit, record.count)
        self.init(
            charges: Array(record.dropFirst(start).prefix(limit)),
            next: end < record.count ? String(end) : nil
        )
    }
}
