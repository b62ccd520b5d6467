import FoundationEssentials
import TillModel

/// A receipt.
struct ReceiptLine: OutputLine {
    let receipt: String
    /// Nil for an application's.
    var transactionID: UUID?

    var text: String { receipt }

    private enum Key: String, CodingKey {
        case receipt
        case transactionID = "transaction_id"
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(receipt, forKey: .receipt)
        try container.encodeIfPresent(transactionID?.text, forKey: .transactionID)
    }
}
