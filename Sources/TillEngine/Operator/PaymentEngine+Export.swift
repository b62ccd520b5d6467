package import FoundationEssentials
package import TillModel

extension PaymentEngine {
    /// Charges read at a time.
    private static let exportRead = 1024

    /// Sends what was charged and given back, charge by charge, each followed by its refunds.
    ///
    /// The ledger is read in parts, so that payments continue. What is charged in the meantime may be missing.
    ///
    /// - Parameters:
    ///   - since: The first date; nil for all.
    ///   - until: The first later date that is left out; nil for none.
    ///   - send: Takes the entries of a part of the ledger, perhaps none.
    package func exportEntries(
        since: Date?,
        until: Date?,
        to send: ([LedgerEntry]) async throws -> Void
    ) async throws {
        if let since, let until, since >= until {
            throw TillError(.invalidArgument, "Nothing is before the date that it begins with: use a later end.")
        }
        var last: Int64? = 0
        while let after = last {
            let (entries, next) = try await read { ledger in
                let charges = try ledger.charges(afterKey: after, limit: Self.exportRead)
                let entries = try charges.flatMap { try Self.entries(of: $0, ledger) }
                let wanted = entries.filter { entry in
                    (since.map { $0 <= entry.date } ?? true) && (until.map { entry.date < $0 } ?? true)
                }
                return (wanted, charges.count < Self.exportRead ? nil : charges.last?.key)
            }
            try await send(entries)
            last = next
        }
    }

    private static func entries(of charge: ChargeRecord, _ ledger: any LedgerReader) throws -> [LedgerEntry] {
        guard charge.state == .succeeded, charge.request.amount > 0 else {
            return []
        }
        let entry = LedgerEntry(charge)
        let refunds = try charge.transactionKey.map { try ledger.refunds(ofTransaction: $0) } ?? []
        return [entry] + refunds.compactMap { LedgerEntry($0, of: entry) }
    }
}

extension LedgerEntry {
    fileprivate init(_ charge: ChargeRecord) {
        let request = charge.request
        self.init(
            date: charge.createdAt,
            kind: .charge,
            paymentID: request.paymentID,
            application: request.application,
            account: request.account,
            productID: request.productID,
            quantity: request.quantity,
            amount: request.amount,
            currency: request.currency,
            reference: charge.reference
        )
    }

    /// Nil for a refund that gave nothing back.
    fileprivate init?(_ refund: RefundRecord, of charge: LedgerEntry) {
        guard refund.state == .succeeded, refund.amount > 0, !refund.keepsMoney else {
            return nil
        }
        self = charge
        date = refund.createdAt
        kind = .refund
        refundID = refund.id
        quantity = refund.quantity
        amount = refund.amount
        currency = refund.currency
        reference = refund.reference
    }
}
