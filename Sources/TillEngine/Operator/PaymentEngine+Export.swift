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
        try await sendEntries(afterKey: 0) { entries in
            try await send(
                entries.filter { entry in
                    (since.map { $0 <= entry.date } ?? true) && (until.map { entry.date < $0 } ?? true)
                }
            )
        }
    }

    /// Sends what was charged for payments that were added since a date, each charge followed by its refunds, however late
    /// these are.
    ///
    /// Reads only that part of the ledger: transactions are in the order in which they were added.
    package func salesEntries(since: Date, to send: ([LedgerEntry]) async throws -> Void) async throws {
        let key = try await read { try $0.lastTransactionKey(before: since) }
        try await sendEntries(afterKey: key, to: send)
    }

    private func sendEntries(afterKey key: Int64, to send: ([LedgerEntry]) async throws -> Void) async throws {
        var last: Int64? = key
        while let after = last {
            let (entries, next) = try await read { ledger in
                let charges = try ledger.charges(afterKey: after, limit: Self.exportRead)
                let entries = try Self.entries(of: charges, ledger)
                return (entries, charges.count < Self.exportRead ? nil : charges.last?.key)
            }
            try await send(entries)
            last = next
        }
    }

    /// The entries of charges, each followed by its refunds.
    private static func entries(of charges: [ChargeRecord], _ ledger: any LedgerReader) throws -> [LedgerEntry] {
        let moved = charges.filter { $0.state == .succeeded && $0.request.amount > 0 }
        let keys = moved.compactMap(\.transactionKey)
        var refunds: [Int64: [RefundRecord]] = [:]
        if let first = keys.min(), let last = keys.max() {
            refunds = Dictionary(grouping: try ledger.refunds(ofTransactions: first...last), by: \.transactionKey)
        }
        return moved.flatMap { charge in
            let entry = LedgerEntry(charge)
            let back = charge.transactionKey.flatMap { refunds[$0] } ?? []
            return [entry] + back.compactMap { LedgerEntry($0, of: entry) }
        }
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
