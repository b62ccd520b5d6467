import FoundationEssentials
import TillModel

/// A refund that was ordered, and the transaction after it.
struct RefundedLine: OutputLine {
    let refund: RefundSummary
    let transaction: Transaction

    var text: String {
        let amount = Price(minorUnits: refund.amount, currency: refund.currency).plain
        let what = "refund of \(refund.quantity) for \(amount)  \(refund.state.title)  refund-id=\(refund.id.text)"
        return "\(what)  \(TransactionLine(transaction: transaction).text)"
    }

    private enum Key: String, CodingKey {
        case refund, transaction
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(RefundLine(refund: refund), forKey: .refund)
        try container.encode(TransactionLine(transaction: transaction), forKey: .transaction)
    }
}
