import FoundationEssentials
package import TillModel

/// Compares the ledger with the provider's record, a page at a time, while both keep working. Each record is read once.
///
/// First the keys of the charges that have succeeded are read from the ledger: the provider's record has them by then. Then
/// that record is read, and each of its charges is compared with the ledger's. A key that was not met there is missing.
package struct LedgerComparison: Sendable {
    /// Charges of the ledger read at a time, and how often for a page.
    static let read = 1024
    static let reads = 16
    /// Prepared charges that are cancelled for a page, which has to be answered in time.
    static let discards = 8
    /// How often in a row the provider may fail, and the pause after each failure but the last.
    static let attempts = 5
    static let pause = Duration.seconds(2)

    private enum Stage: Sendable {
        /// Among the ledger's charges, after this key.
        case ledger(Int64)
        /// In the provider's record, after this cursor.
        case provider(String?)
        case missing
        case end
    }

    private let access: LedgerAccess
    private let provider: BoundedProvider
    private let time: any TimeSource
    private var stage = Stage.ledger(0)
    /// The keys of charges that succeeded, and that the provider's record has not shown yet.
    private var unmet = KeySet()
    /// The keys of charges that the provider's record has shown.
    private var met = KeySet()
    /// Differences that the next page begins with.
    private var rows: [ReconciliationRow] = []
    /// Charges of the provider's record that nobody has confirmed.
    private var prepared: [PreparedCharge] = []
    /// How often in a row the provider has failed.
    private var failures = 0

    init(_ access: LedgerAccess, _ provider: BoundedProvider, time: any TimeSource) {
        self.access = access
        self.provider = provider
        self.time = time
    }

    package var isAtEnd: Bool {
        if case .end = stage { rows.isEmpty && prepared.isEmpty } else { false }
    }

    /// The next differences, perhaps none, without a token for the page that follows.
    ///
    /// - Throws: `unavailable` when the provider could not be asked several times in a row. Then the same page can be asked
    ///   for again.
    package mutating func nextPage() async throws(TillError) -> ReconciliationPage {
        var next = self
        var page = ReconciliationPage(rows: [], agrees: true, compared: 0)
        if next.rows.isEmpty {
            do throws(TillError) {
                try await next.step(&page)
                next.failures = 0
            } catch {
                return try await pageAfter(error)
            }
        }
        page.rows = Array(next.rows.prefix(ReconciliationPage.rowsMaximum))
        page.agrees = page.rows.allSatisfy { $0.finding == .open }
        next.rows.removeFirst(page.rows.count)
        self = next
        return page
    }

    /// An empty page after a pause, as a provider may be silent for a moment: the next page tries the same again.
    private mutating func pageAfter(_ error: TillError) async throws(TillError) -> ReconciliationPage {
        failures += 1
        guard error.code == .unavailable, failures < Self.attempts else {
            failures = 0
            throw error
        }
        try? await time.sleep(for: Self.pause)
        return ReconciliationPage(rows: [], agrees: true, compared: 0)
    }

    private mutating func step(_ page: inout ReconciliationPage) async throws(TillError) {
        guard prepared.isEmpty else {
            page.discarded = try await discardAbandoned()
            return
        }
        switch stage {
        case .ledger(let key): try await readLedger(after: key)
        case .provider(let cursor): try await compare(after: cursor, &page)
        case .missing: try await findMissing(&page)
        case .end: break
        }
    }

    private mutating func readLedger(after key: Int64) async throws(TillError) {
        var last = key
        for _ in 0..<Self.reads {
            let after = last
            let charges = try await access.read { ledger in
                try ledger.charges(afterKey: after, limit: Self.read).map { (key: $0.key, state: $0.state) }
            }
            for charge in charges where charge.state == .succeeded {
                unmet.insert(charge.key)
            }
            guard charges.count == Self.read, let key = charges.last?.key else {
                stage = .provider(nil)
                return
            }
            last = key
        }
        stage = .ledger(last)
    }

    /// One page of the provider's record for a page: how long the provider takes is not known.
    private mutating func compare(after cursor: String?, _ page: inout ReconciliationPage) async throws(TillError) {
        let record = try await provider.record(after: cursor)
        rows = try await differences(record.charges, after: cursor)
        prepared = record.prepared
        page.compared = record.charges.count
        stage = record.next.map { .provider($0) } ?? .missing
    }

    /// The rows of charges that are not in both records alike.
    private mutating func differences(
        _ charges: [ProviderCharge],
        after cursor: String?
    ) async throws(TillError) -> [ReconciliationRow] {
        let entries = try await entries(of: charges.map(\.paymentID))
        var differences: [Difference] = []
        for charge in charges {
            let entry = entries[charge.paymentID]
            var finding = Reconciliation.finding(entry?.charge, entry?.refunds ?? LedgerRefunds(), [charge])
            if let key = entry?.charge.key {
                unmet.remove(key)
                if !met.insert(key) {
                    finding = .chargedTwice
                }
            }
            if let finding, finding != .agrees {
                differences.append(Difference(charge: charge, entry: entry, finding: finding))
            }
        }
        if differences.contains(where: { $0.finding == .differentAmount }) {
            try await confirm(&differences, after: cursor)
        }
        return differences.map(\.row)
    }

    /// Looks again at amounts that differ: the ledger was read after the provider's record, and may know of a refund in
    /// between. It never knows of one before the provider does.
    private func confirm(_ differences: inout [Difference], after cursor: String?) async throws(TillError) {
        let charges = Dictionary(
            try await provider.record(after: cursor).charges.map { ($0.reference, $0) },
            uniquingKeysWith: { first, _ in first }
        )
        let entries = try await entries(of: differences.map(\.charge.paymentID))
        differences = differences.compactMap { difference in
            guard difference.finding == .differentAmount, let charge = charges[difference.charge.reference],
                let entry = entries[charge.paymentID]
            else {
                return difference
            }
            let before = difference.entry.flatMap { Reconciliation.finding($0.charge, $0.refunds, [charge]) }
            guard before != .agrees, let now = Reconciliation.finding(entry.charge, entry.refunds, [charge]),
                now != .agrees
            else {
                return nil
            }
            return Difference(charge: charge, entry: entry, finding: now)
        }
    }

    private mutating func findMissing(_ page: inout ReconciliationPage) async throws(TillError) {
        let keys = unmet.removeFirst(Self.read)
        guard !keys.isEmpty else {
            stage = .end
            return
        }
        let entries = try await access.read { ledger in
            try keys.compactMap { try ledger.charge(key: $0) }.map { try Entry($0, ledger) }
        }
        for entry in entries {
            if let finding = Reconciliation.finding(entry.charge, entry.refunds, []) {
                rows.append(ReconciliationRow(entry.charge, entry.refunds, nil, finding))
                page.compared += 1
            }
        }
    }

    /// Cancels some of what was prepared at the provider and is not to be made any more.
    ///
    /// - Returns: How many were cancelled.
    private mutating func discardAbandoned() async throws(TillError) -> Int {
        let entries = try await entries(of: prepared.map(\.paymentID))
        prepared.removeAll { !$0.isAbandoned(entries[$0.paymentID]?.charge) }
        let discarded = prepared.prefix(Self.discards)
        for prepared in discarded {
            try await provider.discard(prepared)
        }
        prepared.removeFirst(discarded.count)
        return discarded.count
    }

    private func entries(of payments: [UUID]) async throws(TillError) -> [UUID: Entry] {
        guard !payments.isEmpty else {
            return [:]
        }
        return try await access.read { ledger in
            var entries: [UUID: Entry] = [:]
            for payment in payments where entries[payment] == nil {
                entries[payment] = try ledger.charge(ofPayment: payment).map { try Entry($0, ledger) }
            }
            return entries
        }
    }
}

/// A charge of the ledger with what was given back of it.
private struct Entry: Sendable {
    var charge: ChargeRecord
    var refunds: LedgerRefunds

    init(_ charge: ChargeRecord, _ ledger: any LedgerReader) throws {
        self.charge = charge
        refunds = LedgerRefunds(try charge.transactionKey.map { try ledger.refunds(ofTransaction: $0) } ?? [])
    }
}

private struct Difference {
    var charge: ProviderCharge
    var entry: Entry?
    var finding: Reconciliation.Finding

    var row: ReconciliationRow {
        guard let entry else {
            return ReconciliationRow(missingInLedger: charge)
        }
        return ReconciliationRow(entry.charge, entry.refunds, charge, finding)
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
