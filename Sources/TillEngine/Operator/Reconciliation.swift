package import FoundationEssentials
package import TillModel

/// The refunds of a charge in the ledger.
package struct LedgerRefunds: Hashable, Sendable {
    /// Minor units.
    package var succeeded: Int64
    /// Whether the provider's answer to another refund is still unknown.
    package var isAnyOpen: Bool

    package init(_ refunds: [RefundRecord] = []) {
        succeeded = refunds.filter { $0.state == .succeeded }.reduce(0) { $0 &+ $1.amount }
        isAnyOpen = refunds.contains { $0.state == .open || $0.state == .needsReview }
    }
}

/// The ledger's charges compared with the provider's, charge by charge.
package struct Reconciliation: Hashable, Sendable {
    package typealias Finding = ReconciliationRow.Finding

    package struct Row: Hashable, Sendable {
        package var paymentID: UUID
        package var ledger: ChargeRecord?
        package var provider: ProviderCharge?
        package var finding: Finding

        /// The row as operators see it. Its amounts are those of the charges, without refunds.
        package var summary: ReconciliationRow {
            ReconciliationRow(
                paymentID: paymentID,
                finding: finding,
                ledgerState: ledger?.state.summary,
                ledgerAmount: ledger?.request.amount,
                providerAmount: provider?.amount,
                currency: provider?.currency ?? ledger?.request.currency ?? "",
                reference: provider?.reference ?? ledger?.reference,
                productID: ledger?.request.productID
            )
        }
    }

    /// The rows by payment, without charges that never reached the provider and should not have.
    package var rows: [Row]

    /// Whether nothing is wrong.
    package var agrees: Bool {
        rows.allSatisfy { $0.finding == .agrees || $0.finding == .open }
    }

    /// - Parameter refunds: By the key of the charge that they give back a part of.
    package init(ledger: [ChargeRecord], refunds: [Int64: LedgerRefunds] = [:], provider: [ProviderCharge]) {
        let atProvider = Dictionary(grouping: provider, by: \.paymentID)
        let inLedger = Dictionary(ledger.map { ($0.request.paymentID, $0) }, uniquingKeysWith: { first, _ in first })
        let ids = Set(atProvider.keys).union(inLedger.keys)
        rows = ids.sorted { $0.uuidString < $1.uuidString }.compactMap { id in
            let charges = atProvider[id] ?? []
            let refunds = inLedger[id].flatMap { refunds[$0.key] } ?? LedgerRefunds()
            guard let finding = Self.finding(inLedger[id], refunds, charges) else {
                return nil
            }
            return Row(paymentID: id, ledger: inLedger[id], provider: charges.first, finding: finding)
        }
    }

    private static func finding(_ refunds: LedgerRefunds, _ charge: ProviderCharge) -> Finding {
        if refunds.succeeded == charge.refunded {
            .agrees
        } else {
            refunds.isAnyOpen ? .open : .differentAmount
        }
    }

    /// Nil for a charge that never reached the provider and should not have.
    static func finding(_ record: ChargeRecord?, _ refunds: LedgerRefunds, _ charges: [ProviderCharge]) -> Finding? {
        guard charges.count <= 1 else {
            return .chargedTwice
        }
        guard let charge = charges.first else {
            return record?.state == .succeeded ? .missingAtProvider : nil
        }
        guard let record else {
            return .missingInLedger
        }
        guard record.request.amount == charge.amount, record.request.currency == charge.currency else {
            return .differentAmount
        }
        switch record.state {
        case .succeeded: return finding(refunds, charge)
        case .open, .needsReview: return .open
        case .waiting, .held, .declined, .unneeded: return .missingInLedger
        }
    }
}

extension PaymentEngine {
    /// A comparison of the ledger with the provider that begins now.
    package func reconciliation() -> LedgerComparison {
        LedgerComparison(access, provider, time: time)
    }
}
