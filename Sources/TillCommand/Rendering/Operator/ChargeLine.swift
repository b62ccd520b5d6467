import FoundationEssentials
import TillModel

/// A charge of a payment.
struct ChargeLine: TableRow {
    static let headings = ["PAYMENT", "AMOUNT", "STATE", "CALLS", "REFERENCE", "DUE"]

    let charge: ChargeSummary

    var columns: [String] {
        [
            charge.paymentID.text,
            Price(minorUnits: charge.amount, currency: charge.currency).plain,
            charge.state.title,
            "\(charge.attempts)",
            charge.reference ?? "-",
            charge.state == .open ? charge.dueAt.timestamp : "-",
        ]
    }

    private enum Key: String, CodingKey {
        case state, amount, currency, attempts, reference
        case paymentID = "payment_id"
        case dueAt = "due_at"
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(charge.paymentID.text, forKey: .paymentID)
        try container.encode(charge.state.name, forKey: .state)
        try container.encode(charge.amount, forKey: .amount)
        try container.encode(charge.currency, forKey: .currency)
        try container.encode(charge.attempts, forKey: .attempts)
        try container.encodeIfPresent(charge.reference, forKey: .reference)
        if charge.state == .open {
            try container.encode(charge.dueAt.timestamp, forKey: .dueAt)
        }
    }
}
