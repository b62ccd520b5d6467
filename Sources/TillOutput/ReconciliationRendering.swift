import FoundationEssentials
package import TillModel

/// The line for a compared charge, as `till reconcile` and `tilld reconcile` print it.
package struct ReconciliationLine: OutputLine {
    private let row: ReconciliationRow

    package init(row: ReconciliationRow) {
        self.row = row
    }

    private var ledgerState: String? {
        row.ledgerState.map { "\($0)" }
    }

    package var text: String {
        let ledger = "ledger \(ledgerState ?? "nothing") \(amount(row.ledgerAmount) ?? "-")"
        let provider = "provider \(amount(row.providerAmount) ?? "nothing")"
        let product = row.productID ?? "-"
        return "\(row.paymentID.text)  \(product)  \(ledger)  \(provider)  \(row.currency)  \(row.finding.title)"
    }

    private func amount(_ minorUnits: Int64?) -> String? {
        minorUnits.map { Price(minorUnits: $0, currency: row.currency).plainAmount }
    }

    package var json: JSONObject {
        [
            "payment_id": row.paymentID,
            "finding": row.finding.title,
            "product": row.productID,
            "ledger_state": ledgerState,
            "ledger_amount": row.ledgerAmount,
            "provider_amount": row.providerAmount,
            "currency": row.currency,
            "reference": row.reference,
        ]
    }

    /// The last line of a comparison in text. The JSON has no such line.
    package static func verdict(agrees: Bool, compared: Int) -> String {
        "The ledger and the provider \(agrees ? "agree" : "DISAGREE"): \(compared) \(compared == 1 ? "charge" : "charges") compared."
    }

    /// The same for all pages, with what was cancelled.
    package static func verdict(_ sum: ReconciliationPage) -> String {
        let verdict = verdict(agrees: sum.agrees, compared: sum.compared)
        guard sum.discarded > 0 else {
            return verdict
        }
        return "\(verdict) Prepared at the provider, never charged, and cancelled now: \(sum.discarded)."
    }
}

extension ReconciliationPage {
    /// Adds what a further page says about itself, without its rows.
    package mutating func add(_ page: ReconciliationPage) {
        agrees = agrees && page.agrees
        compared += page.compared
        discarded += page.discarded
        next = page.next
    }
}

extension ReconciliationRow.Finding: CaseNamed {}
