import FoundationEssentials
import TillModel

/// A charge in the ledger's books and in the provider's, in the form of `tilld reconcile`.
struct ReconciliationLine: OutputLine {
    let row: ReconciliationRow

    var text: String {
        let ledger =
            "ledger \(row.ledgerState.map { "\($0)" } ?? "nothing") \(row.ledgerAmount.map(String.init) ?? "-")"
        let provider = "provider \(row.providerAmount.map(String.init) ?? "nothing")"
        let product = row.productID ?? "-"
        return "\(row.paymentID.text)  \(product)  \(ledger)  \(provider)  \(row.currency)  \(row.finding.title)"
    }

    private enum Key: String, CodingKey {
        case finding, product, currency, reference
        case paymentID = "payment_id"
        case ledgerState = "ledger_state"
        case ledgerAmount = "ledger_amount"
        case providerAmount = "provider_amount"
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(row.paymentID.text, forKey: .paymentID)
        try container.encode(row.finding.title, forKey: .finding)
        try container.encodeIfPresent(row.productID, forKey: .product)
        try container.encodeIfPresent(row.ledgerState.map { "\($0)" }, forKey: .ledgerState)
        try container.encodeIfPresent(row.ledgerAmount, forKey: .ledgerAmount)
        try container.encodeIfPresent(row.providerAmount, forKey: .providerAmount)
        try container.encode(row.currency, forKey: .currency)
        try container.encodeIfPresent(row.reference, forKey: .reference)
    }
}
