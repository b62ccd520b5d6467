import FoundationEssentials
import TillModel

/// Compares the ledger with the provider's record, a chunk at a time.
struct LedgerComparison {
    /// Charges that a page compares, and holds in memory.
    static let chunk = 8192
    /// Charges read at a time from the record that a page scans.
    static let read = 1024

    let access: LedgerAccess
    let provider: BoundedProvider

    /// A page of the ledger's charges, compared with the provider's record of them.
    func ledgerPage(afterKey key: Int64) async throws(TillError) -> ReconciliationPage {
        // The ledger is read first: charges that have succeeded in it are in the provider's record by then.
        let charges = try await access.read { ledger in
            try ledger.charges(afterKey: key, limit: Self.chunk).map { ($0, try Self.refunds(of: $0, ledger)) }
        }
        let atProvider = try await providerCharges(of: Set(charges.map(\.0.request.paymentID)))
        var page = ReconciliationPage(rows: [], agrees: true, compared: 0)
        for (charge, refunds) in charges {
            if page.rows.count == ReconciliationPage.rowsMaximum {
                return page
            }
            let recorded = atProvider[charge.request.paymentID] ?? []
            let finding = Reconciliation.finding(charge, refunds, recorded)
            if finding != nil, finding != .agrees, let row = try await row(charge.key, recorded) {
                page.add(row)
            }
            page.compared += 1
            page.next = ReconciliationToken.ledger(charge.key).number
        }
        if charges.count < Self.chunk {
            page.next = ReconciliationToken.provider(0).number
        }
        return page
    }

    /// A page of the provider's charges that the ledger does not have.
    func providerPage(from offset: Int) async throws(TillError) -> ReconciliationPage {
        var charges: [ProviderCharge] = []
        while charges.count < Self.chunk {
            let found = try await provider.recordedCharges(from: offset + charges.count, limit: Self.read)
            charges += found
            if found.count < Self.read {
                break
            }
        }
        let known = try await knownPayments(of: Set(charges.map(\.paymentID)))
        var page = ReconciliationPage(rows: [], agrees: true, compared: 0)
        for (index, charge) in charges.enumerated() where !known.contains(charge.paymentID) {
            if page.rows.count == ReconciliationPage.rowsMaximum {
                page.next = ReconciliationToken.provider(offset + index).number
                return page
            }
            page.add(ReconciliationRow(missingInLedger: charge))
            page.compared += 1
        }
        page.next = charges.count < Self.chunk ? nil : ReconciliationToken.provider(offset + charges.count).number
        return page
    }

    /// The finding for a charge of the ledger as it is now: it may have changed since the page was read.
    private func row(_ key: Int64, _ recorded: [ProviderCharge]) async throws(TillError) -> ReconciliationRow? {
        let found = try await access.read { ledger -> ReconciliationRow? in
            guard let charge = try ledger.charge(key: key) else {
                return nil
            }
            let refunds = try Self.refunds(of: charge, ledger)
            let finding = Reconciliation.finding(charge, refunds, recorded)
            return finding.map { ReconciliationRow(charge, refunds, recorded.first, $0) }
        }
        return found?.finding == .agrees ? nil : found
    }

    private static func refunds(of charge: ChargeRecord, _ ledger: any LedgerReader) throws -> LedgerRefunds {
        LedgerRefunds(try charge.transactionKey.map { try ledger.refunds(ofTransaction: $0) } ?? [])
    }

    private func providerCharges(of payments: Set<UUID>) async throws(TillError) -> [UUID: [ProviderCharge]] {
        var charges: [UUID: [ProviderCharge]] = [:]
        var offset = 0
        while !payments.isEmpty {
            let found = try await provider.recordedCharges(from: offset, limit: Self.read)
            for charge in found where payments.contains(charge.paymentID) {
                charges[charge.paymentID, default: []].append(charge)
            }
            offset += found.count
            if found.count < Self.read {
                break
            }
        }
        return charges
    }

    private func knownPayments(of payments: Set<UUID>) async throws(TillError) -> Set<UUID> {
        var known: Set<UUID> = []
        var last: Int64 = 0
        while known.count < payments.count {
            let after = last
            let found = try await access.read { try $0.charges(afterKey: after, limit: Self.read) }
            known.formUnion(found.lazy.map(\.request.paymentID).filter(payments.contains))
            guard found.count == Self.read, let key = found.last?.key else {
                break
            }
            last = key
        }
        return known
    }
}

extension ReconciliationPage {
    fileprivate mutating func add(_ row: ReconciliationRow) {
        rows.append(row)
        agrees = agrees && row.finding == .open
    }
}

extension ReconciliationRow {
    /// Both amounts are net of refunds.
    fileprivate init(
        _ charge: ChargeRecord,
        _ refunds: LedgerRefunds,
        _ recorded: ProviderCharge?,
        _ finding: Finding
    ) {
        self.init(
            paymentID: charge.request.paymentID,
            finding: finding,
            ledgerState: charge.state.summary,
            ledgerAmount: charge.request.amount &- refunds.succeeded,
            providerAmount: recorded.map { $0.amount &- $0.refunded },
            currency: charge.request.currency,
            reference: recorded?.reference ?? charge.reference,
            productID: charge.request.productID
        )
    }

    fileprivate init(missingInLedger charge: ProviderCharge) {
        self.init(
            paymentID: charge.paymentID,
            finding: .missingInLedger,
            providerAmount: charge.amount &- charge.refunded,
            currency: charge.currency,
            reference: charge.reference
        )
    }
}
