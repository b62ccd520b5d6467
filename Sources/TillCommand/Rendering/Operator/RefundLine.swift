import FoundationEssentials
import TillModel

/// What was taken back of a purchase.
struct RefundLine: TableRow {
    static let headings = ["CREATED", "QUANTITY", "AMOUNT", "STATE", "CAUSE", "REFERENCE", "ID"]

    let refund: RefundSummary

    var columns: [String] {
        [
            refund.createdAt.timestamp,
            "\(refund.quantity)",
            Price(minorUnits: refund.amount, currency: refund.currency).plain,
            refund.state.title,
            refund.reason.title,
            refund.reference ?? "-",
            refund.id.text,
        ]
    }

    private enum Key: String, CodingKey {
        case id, quantity, amount, currency, reason, state, reference
        case createdAt = "created_at"
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(refund.id.text, forKey: .id)
        try container.encode(refund.quantity, forKey: .quantity)
        try container.encode(refund.amount, forKey: .amount)
        try container.encode(refund.currency, forKey: .currency)
        try container.encode(refund.reason.name, forKey: .reason)
        try container.encode(refund.state.name, forKey: .state)
        try container.encodeIfPresent(refund.reference, forKey: .reference)
        try container.encode(refund.createdAt.timestamp, forKey: .createdAt)
    }
}
